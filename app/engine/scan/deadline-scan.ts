// Runs a rule pack over rollouts in the regex thread, under a deadline. A batch that does not come back in time is run
// again rule by rule; the rule that blows up is named and left out, the others go on.

import { setTimeout as delay } from 'node:timers/promises';
import type { RulePack } from '../../contract/rule-pack.ts';
import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import type { RegexApi } from '../threads/regex.ts';
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

/** A rule that did not come back, on how many texts, and the deadline it broke. */
export interface TimedOutRule {
  readonly rule: string;
  readonly texts: number;
  readonly deadlineMs: number;
}

const late = Symbol('late');

export class DeadlineScan implements AsyncDisposable {
  readonly #pack: RulePack;
  readonly #timedOut = new Map<string, { texts: number; deadlineMs: number }>();
  #thread: ThreadClient<RegexApi> | null = null;
  #holding = false;
  #patience: number;

  /** `patience` is how many times the usual deadline a batch has, for work beside other work. */
  constructor(pack: RulePack, patience = 1) {
    this.#pack = pack;
    this.#patience = patience;
  }

  /** The rules that were left out so far. */
  get timedOut(): TimedOutRule[] {
    return [...this.#timedOut].map(([rule, found]) => ({ rule, ...found }));
  }

  /**
   * The hits in each rollout, in the order given.
   * @throws Refusal `pack-invalid` when the pack does not compile.
   */
  async scan(rollouts: readonly ScanRollout[]): Promise<RuleHit[][]> {
    const deadline = deadlineFor(rollouts) * this.#patience;
    const all = await this.#within(deadline, (thread) =>
      thread.call('scan', { rollouts, skip: [...this.#timedOut.keys()] }),
    );
    return all === late ? this.#ruleByRule(rollouts, deadline) : all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.kill();
    this.#thread = null;
  }

  async #ruleByRule(rollouts: readonly ScanRollout[], deadlineMs: number): Promise<RuleHit[][]> {
    const hits: RuleHit[][] = rollouts.map(() => []);
    const texts = rollouts.reduce((sum, rollout) => sum + rollout.parts.length, 0);
    let blamed = false;
    for (const { id } of this.#pack.rules) {
      if (this.#timedOut.has(id)) continue;
      // One rule has the time of all of them, so that a busy machine does not make a rule look bad; and a second chance.
      let found = await this.#one(rollouts, id, deadlineMs);
      if (found === late) found = await this.#one(rollouts, id, deadlineMs * secondChance);
      if (found === late) {
        blamed = true;
        this.#timedOut.set(id, { texts, deadlineMs: Math.round(deadlineMs * secondChance) });
      } else for (const [i, list] of found.entries()) hits[i]?.push(...list);
    }
    this.#holding = false;
    if (!blamed) this.#patience = Math.min(patienceMax, this.#patience * busyFactor);
    return hits.map((list) => list.toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start));
  }

  /** The hits of one rule, in a thread that holds the rollouts prepared. */
  async #one(rollouts: readonly ScanRollout[], rule: string, ms: number): Promise<RuleHit[][] | typeof late> {
    if (!this.#holding) {
      await (await this.#started()).call('hold', { rollouts });
      this.#holding = true;
    }
    return this.#within(ms, (thread) => thread.call('scanOne', { rule }));
  }

  /** Runs a call; kills the thread when the call is late. Starting and compiling do not count. */
  async #within<T>(ms: number, call: (thread: ThreadClient<RegexApi>) => Promise<T>): Promise<T | typeof late> {
    const thread = await this.#started();
    const timer = new AbortController();
    const running = call(thread);
    // Once it is late, the rejection that the kill causes is nobody's news.
    running.catch(() => undefined);
    try {
      return await Promise.race([running, delay(ms, late, { signal: timer.signal })]).then(async (result) => {
        if (result === late) {
          this.#thread = null;
          this.#holding = false;
          await thread.kill();
        }
        return result;
      });
    } finally {
      timer.abort();
    }
  }

  async #started(): Promise<ThreadClient<RegexApi>> {
    if (this.#thread !== null) return this.#thread;
    const thread = startThread<RegexApi>('regex', null, () => {
      this.#thread = null;
    });
    await thread.call('load', { pack: this.#pack });
    this.#thread = thread;
    return thread;
  }
}

function deadlineFor(rollouts: readonly ScanRollout[]): number {
  let characters = 0;
  for (const rollout of rollouts) for (const part of rollout.parts) characters += part.text.length;
  return baseDeadlineMs + characters / charactersPerMs;
}
