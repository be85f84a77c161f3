// Scanning while an import still writes: rollouts are scanned as soon as they are committed, and their hits wait in memory until
// their source is in force. What it does not come to is left to the scan after the import, which also says what went wrong.

import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import { DeadlineScan } from './deadline-scan.ts';
import type { LoadedPack } from './scan-job.ts';

/** Rollouts read and scanned at once. */
const batchSize = 16;
/** Hits kept; beyond them an import is so large that scanning ahead gains little. */
const hitsKept = 50_000;
/** The import's own threads are at work on the same processors: a batch may take longer without a rule being at fault. */
const patience = 4;

/** What was scanned ahead, with the pack that did it. */
export interface ScannedAhead {
  readonly pack: LoadedPack;
  readonly scan: DeadlineScan;
  /** Hits by rollout (row id). */
  readonly hits: ReadonlyMap<number, readonly RuleHit[]>;
}

export class ScanAhead implements AsyncDisposable {
  readonly #readTexts: (rolloutIds: readonly number[]) => Promise<ScanRollout[]>;
  readonly #packInForce: () => Promise<LoadedPack | null>;
  readonly #hits = new Map<number, readonly RuleHit[]>();
  readonly #waiting: number[] = [];
  #opened: ScannedAhead | null = null;
  #kept = 0;
  #running: Promise<void> | null = null;
  #stopped = false;

  /**
   * `readTexts` gives rollouts in the order asked for. `packInForce` is asked when the first rollout comes, since most imports of
   * a folder bring nothing new; null scans nothing.
   */
  constructor(
    readTexts: (rolloutIds: readonly number[]) => Promise<ScanRollout[]>,
    packInForce: () => Promise<LoadedPack | null>,
  ) {
    this.#readTexts = readTexts;
    this.#packInForce = packInForce;
  }

  /** Rollouts whose hits are known so far. */
  get scanned(): number {
    return this.#hits.size;
  }

  /** Takes rollouts that are complete and committed. One that comes again (a row id used anew) is scanned again. */
  add(rolloutIds: readonly number[]): void {
    if (this.#stopped || rolloutIds.length === 0) return;
    for (const id of rolloutIds) this.#hits.delete(id);
    this.#waiting.push(...rolloutIds);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Ends it after the batches that are under way; null when nothing was scanned. The scan is closed with this object. */
  async settle(): Promise<ScannedAhead | null> {
    this.#stop();
    await this.#running;
    return this.#opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle();
    await this.#opened?.scan[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    try {
      const opened = await this.#open();
      if (opened === null) return;
      let next = this.#read();
      while (next !== null) {
        const { ids, rollouts } = await next;
        // Texts of the next batch are read while the patterns run over this one.
        next = this.#read();
        next?.catch(() => undefined);
        const found = await opened.scan.scan(rollouts);
        for (const [i, id] of ids.entries()) {
          const hits = found[i] ?? [];
          this.#hits.set(id, hits);
          this.#kept += hits.length;
        }
        if (this.#kept > hitsKept) this.#stop();
        // More may have come since.
        next ??= this.#read();
      }
    } catch {
      // A removed rollout, a cancelled job, a pack that does not compile: the scan after the import meets it again and says so.
      this.#stop();
    }
  }

  async #open(): Promise<ScannedAhead | null> {
    if (this.#opened !== null) return this.#opened;
    const pack = await this.#packInForce();
    if (pack === null) this.#stop();
    else this.#opened = { pack, scan: new DeadlineScan(pack.pack, patience), hits: this.#hits };
    return this.#opened;
  }

  #read(): Promise<{ ids: number[]; rollouts: ScanRollout[] }> | null {
    if (this.#stopped || this.#waiting.length === 0) return null;
    const ids = this.#waiting.splice(0, batchSize);
    return this.#readTexts(ids).then((rollouts) => ({ ids, rollouts }));
  }

  #stop(): void {
    this.#stopped = true;
    this.#waiting.length = 0;
  }
}
