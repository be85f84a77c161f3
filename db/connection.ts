// One SQLite connection behind a small typed surface: cached statements, transactions, a cancel flag, a slow-query hook.
// A reader's type has no way to write. One connection belongs to one thread and is never shared.

import type Database from 'better-sqlite3';
import { Refusal } from '../app/shared/errors.ts';
import { explained } from './errors.ts';
import { asRow, asRows, type SqlValue } from './row.ts';

/** Statements that take longer are reported to the slow-query hook, milliseconds. */
const slowQueryMs = 40;

/** What a slow statement looked like: its SQL and how long it took. */
export type SlowQueryHook = (sql: string, elapsedMs: number) => void;

/** Shared memory whose element 0 becomes non-zero when the running work was cancelled. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

/** A connection that can read. Every `WriteDb` is one; the reverse does not compile. */
export interface ReadDb {
  readonly mode: 'read' | 'write';
  readonly path: string;
  /** All rows. `Row` must have exactly the selected columns. */
  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[];
  /** The first row or undefined. */
  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined;
  /** The first column of all rows. */
  column<Value>(sql: string, ...params: readonly SqlValue[]): Value[];
  /** The first column of the first row or undefined. */
  value<Value>(sql: string, ...params: readonly SqlValue[]): Value | undefined;
  /** Rows one by one. Keep it short: the write-ahead log grows while a reader iterates. */
  iterate<Row>(sql: string, ...params: readonly SqlValue[]): IterableIterator<Row>;
  /** Runs `fn` on one consistent snapshot of the file. */
  snapshot<T>(fn: () => T): T;
  /** Statements that call `cancelled()` end with Refusal('cancelled') once element 0 of the flag is set; null takes it away. */
  setCancelFlag(flag: CancelFlag | null): void;
  close(): void;
}

/** What a writing statement did. */
export interface Written {
  readonly changes: number;
  readonly lastId: number;
}

/** A connection that can also write. */
export interface WriteDb extends ReadDb {
  readonly mode: 'write';
  run(sql: string, ...params: readonly SqlValue[]): Written;
  /** Several statements without parameters (schema changes). */
  exec(sql: string): void;
  /** Runs `fn` in one transaction: all of it or, when it throws, nothing. Nested calls are savepoints. Never across an await. */
  transaction<T>(fn: () => T): T;
}

/** Statements kept per connection; beyond that the cache starts anew (only generated SQL gets there). */
const statementsKept = 400;

/** The connection of a reader thread. */
export class ReadConnection implements ReadDb {
  readonly mode: 'read' | 'write' = 'read';
  readonly path: string;
  protected readonly raw: Database.Database;
  protected readonly transact: Database.Transaction<(fn: () => unknown) => unknown>;
  readonly #onSlow: SlowQueryHook | null;
  readonly #rows = new Map<string, Database.Statement<SqlValue[]>>();
  readonly #plucked = new Map<string, Database.Statement<SqlValue[]>>();
  #cancelFlag: CancelFlag | null = null;

  constructor(raw: Database.Database, path: string, onSlow: SlowQueryHook | null) {
    this.raw = raw;
    this.path = path;
    this.#onSlow = onSlow;
    this.transact = raw.transaction((fn: () => unknown) => fn());
    registerFunctions(raw, () => this.#cancelFlag);
  }

  all<Row>(sql: string, ...params: readonly SqlValue[]): Row[] {
    return this.timed(sql, () => asRows<Row>(this.statement(sql).all(...params)));
  }

  get<Row>(sql: string, ...params: readonly SqlValue[]): Row | undefined {
    return this.timed(sql, () => asRow<Row | undefined>(this.statement(sql).get(...params)));
  }

  column<Value>(sql: string, ...params: readonly SqlValue[]): Value[] {
    return this.timed(sql, () => asRows<Value>(this.#pluckedStatement(sql).all(...params)));
  }

  value<Value>(sql: string, ...params: readonly SqlValue[]): Value | undefined {
    return this.timed(sql, () => asRow<Value | undefined>(this.#pluckedStatement(sql).get(...params)));
  }

  *iterate<Row>(sql: string, ...params: readonly SqlValue[]): IterableIterator<Row> {
    // A statement of its own: a cached one would be busy for everybody else until this loop ends.
    for (const row of this.raw.prepare<SqlValue[]>(sql).iterate(...params)) yield asRow<Row>(row);
  }

  snapshot<T>(fn: () => T): T {
    return this.raw.inTransaction ? fn() : asRow<T>(this.transact.deferred(fn));
  }

  setCancelFlag(flag: CancelFlag | null): void {
    this.#cancelFlag = flag;
  }

  close(): void {
    this.#rows.clear();
    this.#plucked.clear();
    if (this.raw.open) this.raw.close();
  }

  protected statement(sql: string): Database.Statement<SqlValue[]> {
    return cached(this.#rows, sql, () => this.raw.prepare<SqlValue[]>(sql));
  }

  #pluckedStatement(sql: string): Database.Statement<SqlValue[]> {
    return cached(this.#plucked, sql, () => this.raw.prepare<SqlValue[]>(sql).pluck());
  }

  protected timed<T>(sql: string, fn: () => T): T {
    const before = this.#onSlow === null ? 0 : performance.now();
    try {
      return fn();
    } catch (error) {
      throw explained(error, this.path);
    } finally {
      const elapsed = this.#onSlow === null ? 0 : performance.now() - before;
      if (elapsed > slowQueryMs) this.#onSlow?.(sql, elapsed);
    }
  }
}

/** The connection of the one writer thread. */
export class WriteConnection extends ReadConnection implements WriteDb {
  override readonly mode = 'write';

  run(sql: string, ...params: readonly SqlValue[]): Written {
    return this.timed(sql, () => {
      const { changes, lastInsertRowid } = this.statement(sql).run(...params);
      return { changes, lastId: Number(lastInsertRowid) };
    });
  }

  exec(sql: string): void {
    this.timed(sql, () => this.raw.exec(sql));
  }

  transaction<T>(fn: () => T): T {
    try {
      return asRow<T>(this.transact.immediate(fn));
    } catch (error) {
      throw explained(error, this.path);
    }
  }
}

function cached(
  cache: Map<string, Database.Statement<SqlValue[]>>,
  sql: string,
  prepare: () => Database.Statement<SqlValue[]>,
): Database.Statement<SqlValue[]> {
  const known = cache.get(sql);
  if (known !== undefined) return known;
  if (cache.size >= statementsKept) cache.clear();
  const made = prepare();
  cache.set(sql, made);
  return made;
}

/**
 * `cancelled()` is 0, or ends the statement with Refusal('cancelled') once the flag is set: better-sqlite3 cannot interrupt
 * a statement from outside. `contains_fold(text, needle)` finds text in any script ignoring case, where LIKE folds ASCII only.
 */
function registerFunctions(raw: Database.Database, flag: () => CancelFlag | null): void {
  raw.function('cancelled', { deterministic: false }, () => {
    const shared = flag();
    if (shared !== null && Atomics.load(shared, 0) !== 0) {
      throw new Refusal('cancelled', 'The work was cancelled.', 'Start it again to continue.');
    }
    return 0;
  });
  raw.function('contains_fold', { deterministic: true }, (text: unknown, needle: unknown) =>
    typeof text === 'string' && typeof needle === 'string' && fold(text).includes(fold(needle)) ? 1 : 0,
  );
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
