// Runs a rule pack over rollouts in the regex thread, under a deadline. A batch that does not come back in time is run
// again rule by rule; the rule that blows up is named and left out, the others go on.

import { setTimeout as delay } from 'node:timers/promises';
import type { RulePack } from '../../contract/rule-pack.ts';
import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import type { RegexApi, RegexData, ScanTexts, TextsRead } from '../threads/regex.ts';
import { startThread, type ThreadClient } from '../threads/rpc.ts';

/** Milliseconds for a batch whatever its size. */
export const baseDeadlineMs = 250;
/** Characters of text that must be scanned per millisecond beyond that; far below what honest patterns need. */
const charactersPerMs = 500;
/** How much more patience after a batch that was late without any one rule being at fault: the machine is busy. */
const busyFactor = 2;
const patienceMax = 16;
/** How much more time a late rule gets, alone in a fresh thread, before it is blamed. */
const secondChance = 4;

/** How many times its deadline a call may take in all while the thread waits for a processor. */
const starvedFactor = 8;
/** Milliseconds in which a busy thread must say how much processor time it has used. */
const answerMs = 500;

/** A rule that did not come back, on how many texts, and the deadline it broke. */
export interface TimedOutRule {
  readonly rule: string;
  readonly texts: number;
  readonly deadlineMs: number;
}

const late = Symbol('late');

export interface DeadlineOptions {
  /** How many times the usual deadline a batch has, for work beside other work. */
  readonly patience?: number;
  /** The workspace (path) of the rollouts that `scanStored` reads. */
  readonly workspace?: string;
}

/** One scan at a time. */
export class DeadlineScan implements AsyncDisposable {
  readonly #pack: RulePack;
  readonly #data: RegexData;
  readonly #timedOut = new Map<string, { texts: number; deadlineMs: number }>();
  #thread: ThreadClient<RegexApi> | null = null;
  #starting: Promise<ThreadClient<RegexApi>> | null = null;
  #prepared = false;
  #patience: number;

  constructor(pack: RulePack, { patience = 1, workspace }: DeadlineOptions = {}) {
    this.#pack = pack;
    this.#patience = patience;
    this.#data = { workspace: workspace ?? null };
  }

  /** The rules that were left out so far. */
  get timedOut(): TimedOutRule[] {
    return [...this.#timedOut].map(([rule, found]) => ({ rule, ...found }));
  }

  /** Leaves out rules that were blamed elsewhere. */
  leaveOut(rules: readonly TimedOutRule[]): void {
    for (const { rule, ...found } of rules) if (!this.#timedOut.has(rule)) this.#timedOut.set(rule, found);
  }

  /** Starts the thread and compiles the pack, so that the first scan need not wait. Says nothing of a pack that does not compile. */
  warmUp(): void {
    this.#started().catch(() => undefined);
  }

  /**
   * The hits in each rollout, in the order given.
   * @throws Refusal `pack-invalid` when the pack does not compile.
   */
  scan(rollouts: readonly ScanRollout[]): Promise<RuleHit[][]> {
    return this.#scan({ rollouts });
  }

  /**
   * The same of stored rollouts (row ids).
   * @throws Refusal `pack-invalid`, `rollout-unknown`, and `cancelled` once the flag is set.
   */
  scanStored(rolloutIds: readonly number[], cancel: Int32Array<SharedArrayBuffer> | null): Promise<RuleHit[][]> {
    return this.#scan({ rolloutIds, cancel });
  }

  /** Ends the thread, whose memory is worth having for other work; the next scan starts another. */
  async rest(): Promise<void> {
    const thread = this.#thread ?? (await this.#starting?.catch(() => null));
    this.#thread = null;
    await thread?.kill();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.rest();
  }

  async #scan(texts: ScanTexts): Promise<RuleHit[][]> {
    // Reading is not the patterns' fault: it has no deadline.
    const size = await (await this.#started()).call('read', texts);
    const deadline = deadlineFor(size) * this.#patience;
    const all = await this.#within(deadline, (thread) => thread.call('scan', { skip: [...this.#timedOut.keys()] }));
    return all === late ? this.#ruleByRule(texts, size, deadline) : all;
  }

  async #ruleByRule(given: ScanTexts, { texts }: TextsRead, deadlineMs: number): Promise<RuleHit[][]> {
    const hits: RuleHit[][] = [];
    let blamed = false;
    for (const { id } of this.#pack.rules) {
      if (this.#timedOut.has(id)) continue;
      // One rule has the time of all of them, so that a busy machine does not make a rule look bad; and a second chance.
      let found = await this.#one(given, id, deadlineMs);
      if (found === late) found = await this.#one(given, id, deadlineMs * secondChance);
      if (found === late) {
        blamed = true;
        this.#timedOut.set(id, { texts, deadlineMs: Math.round(deadlineMs * secondChance) });
      } else
        for (const [i, list] of found.entries()) {
          hits[i] ??= [];
          hits[i].push(...list);
        }
    }
    this.#prepared = false;
    if (!blamed) this.#patience = Math.min(patienceMax, this.#patience * busyFactor);
    const count = 'rollouts' in given ? given.rollouts.length : given.rolloutIds.length;
    return Array.from({ length: count }, (_, i) =>
      (hits[i] ?? []).toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start),
    );
  }

  /** The hits of one rule, in a thread that holds the rollouts prepared. */
  async #one(texts: ScanTexts, rule: string, ms: number): Promise<RuleHit[][] | typeof late> {
    if (!this.#prepared) {
      const thread = await this.#started();
      await thread.call('read', texts);
      await thread.call('prepare', undefined);
      this.#prepared = true;
    }
    return this.#within(ms, (thread) => thread.call('scanOne', { rule }));
  }

  /**
   * Runs a call; kills the thread when the call is late. Starting and compiling do not count, and neither does time in which the
   * machine had no processor for the thread, where Node can tell.
   */
  async #within<T>(ms: number, call: (thread: ThreadClient<RegexApi>) => Promise<T>): Promise<T | typeof late> {
    const thread = await this.#started();
    const before = await thread.cpuMs();
    const timer = new AbortController();
    const running = call(thread);
    // Once it is late, the rejection that the kill causes is nobody's news.
    running.catch(() => undefined);
    const { signal } = timer;
    try {
      for (let waited = 0, wait = ms; ; ) {
        const result = await Promise.race([running, delay(wait, late, { signal })]);
        if (result !== late) return result;
        waited += wait;
        const now = before === null ? null : await Promise.race([thread.cpuMs(), delay(answerMs, null, { signal })]);
        const left = before === null || now === null ? 0 : ms - (now - before);
        if (left < ms / 10 || waited >= ms * starvedFactor) break;
        wait = left;
      }
      this.#thread = null;
      this.#prepared = false;
      await thread.kill();
      return late;
    } finally {
      timer.abort();
    }
  }

  #started(): Promise<ThreadClient<RegexApi>> {
    if (this.#thread !== null) return Promise.resolve(this.#thread);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #start(): Promise<ThreadClient<RegexApi>> {
    const thread = startThread<RegexApi>('regex', this.#data, () => {
      this.#thread = null;
    });
    try {
      await thread.call('load', { pack: this.#pack });
    } catch (error) {
      await thread.kill();
      throw error;
    }
    this.#thread = thread;
    return thread;
  }
}

function deadlineFor({ characters }: TextsRead): number {
  return baseDeadlineMs + characters / charactersPerMs;
}
