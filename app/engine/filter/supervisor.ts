// Keeps the filter answering: every line gets its verdict, in order, whatever a pattern does. A rule that runs past its deadline is
// named and left out from then on, the thread is started anew with the rollouts it held, and the lines are judged again.

import type { RulePack } from '../../contract/rule-pack.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { messageOf } from '../../shared/errors.ts';
import type { FilterApi, FilterThreadData } from '../threads/filter.ts';
import { startThread, type ThreadClient } from '../threads/rpc.ts';
import { idIn } from './line.ts';
import type { Answer, HeldRollout } from './session.ts';
import { SharedCell } from './shared-cell.ts';
import { errorVerdict, type Policy } from './verdict.ts';

/** Text that a rule gets through in a millisecond, far below what honest patterns need. */
const charactersPerMs = 500;
/** A line may take so many deadlines without any one rule being at fault. */
const lineDeadlines = 20;
/** Share of a deadline that the process must have spent on its processor. */
const leastUsed = 0.7;

export interface FilterOptions {
  readonly pack: RulePack;
  readonly policy: Policy;
  readonly rollouts: number;
  readonly contract: TaskContract | null;
  /** Milliseconds that one rule may run on one line; more for long rollouts. */
  readonly deadlineMs: number;
  /** Told what a person who watches the process should know. */
  readonly onNote: (note: string) => void;
}

/** Something that runs: since when by the clock, and the processor time of the process when it was first seen. */
interface Seen {
  readonly since: number;
  readonly used: number;
}

interface Waiting {
  readonly text: string;
  readonly line: number;
  readonly resolve: (json: string) => void;
}

export class FilterSupervisor implements AsyncDisposable {
  readonly #options: FilterOptions;
  readonly #stopped: string[] = [];
  /** Lines without an answer; the first one is being judged. */
  readonly #waiting: Waiting[] = [];
  /** What a thread must be told to take up the rollouts again. */
  readonly #held = new Map<string, { lines: string[]; keys: readonly string[] }>();
  #cell = new SharedCell();
  #thread: ThreadClient<FilterApi> | null = null;
  #watch: NodeJS.Timeout | null = null;
  #ruleSeen: Seen = { since: 0, used: 0 };
  #lineSeen: Seen = { since: 0, used: 0 };

  constructor(options: FilterOptions) {
    this.#options = options;
  }

  /** Starts the thread, so that the first line does not wait for it. */
  async start(): Promise<void> {
    await this.#started();
  }

  /** The verdict on a line, as JSON. Answers come in the order of the calls. */
  judge(text: string, line: number): Promise<string> {
    return new Promise((resolve) => {
      const waiting = { text, line, resolve };
      this.#waiting.push(waiting);
      this.#watch ??= setInterval(() => this.#look(), Math.max(5, Math.min(100, this.#options.deadlineMs / 4)));
      if (this.#thread === null) void this.#started();
      else this.#send(this.#thread, waiting);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.kill();
  }

  #starting: Promise<void> | null = null;

  #started(): Promise<void> {
    this.#starting ??= this.#launch().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #launch(): Promise<void> {
    const { pack, policy, rollouts, contract } = this.#options;
    this.#cell = new SharedCell();
    const options = { policy, rollouts, contract, stopped: [...this.#stopped] };
    const data: FilterThreadData = { pack, options, cell: this.#cell.buffer };
    const thread: ThreadClient<FilterApi> = startThread<FilterApi>('filter', data, (error) =>
      this.#crashed(thread, error),
    );
    const held: HeldRollout[] = [...this.#held].map(([rollout, { lines, keys }]) => ({ rollout, lines, keys }));
    await thread.call('start', { rollouts: held });
    this.#thread = thread;
    for (const waiting of this.#waiting) this.#send(thread, waiting);
  }

  #send(thread: ThreadClient<FilterApi>, { text, line }: Waiting): void {
    thread.call('judge', { text, line }).then(
      (answer) => {
        if (this.#thread === thread) this.#answered(answer);
      },
      (error: unknown) => {
        // A thread that was given up answers nothing any more; its lines are with the next one.
        if (this.#thread === thread) this.#crashed(thread, error);
      },
    );
  }

  #answered({ json, held, gone }: Answer): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    for (const name of gone) this.#held.delete(name);
    if (held !== null) {
      const known = held.fresh ? undefined : this.#held.get(held.rollout);
      const lines = known?.lines ?? [];
      lines.push(waiting.text);
      // The order is that of the last line, as the thread keeps it.
      this.#held.delete(held.rollout);
      this.#held.set(held.rollout, { lines, keys: held.keys });
    }
    this.#settle(waiting, json);
  }

  #settle(waiting: Waiting, json: string): void {
    waiting.resolve(json);
    if (this.#waiting.length > 0 || this.#watch === null) return;
    clearInterval(this.#watch);
    this.#watch = null;
  }

  /**
   * Whether a rule, or the line as a whole, is over its time. Time on the clock alone is no proof: on a busy machine the thread may
   * not have run at all, so that the process must have used the time as well.
   */
  #look(): void {
    const running = this.#thread === null ? null : this.#cell.running();
    if (running === null) return;
    const deadline = this.#options.deadlineMs + running.characters / charactersPerMs;
    const now = Date.now();
    const used = usedMs();
    if (this.#ruleSeen.since !== running.ruleSince) this.#ruleSeen = { since: running.ruleSince, used };
    if (this.#lineSeen.since !== running.lineSince) this.#lineSeen = { since: running.lineSince, used };
    const isOver = (since: number, seen: Seen, limit: number): boolean =>
      now - since > limit && used - seen.used > limit * leastUsed;
    const rule = running.rule === null ? undefined : this.#options.pack.rules[running.rule];
    if (rule !== undefined && isOver(running.ruleSince, this.#ruleSeen, deadline)) {
      this.#stopped.push(rule.id);
      this.#options.onNote(
        `Rule ${rule.id} was stopped after ${Math.round(deadline)} ms at line ${this.#waiting[0]?.line ?? '?'}: its pattern is too slow. It is left out from here on.`,
      );
      void this.#restart();
    } else if (isOver(running.lineSince, this.#lineSeen, deadline * lineDeadlines)) {
      this.#giveUp(`it could not be judged within ${Math.round(deadline * lineDeadlines)} ms and was left out`);
      void this.#restart();
    }
  }

  #crashed(thread: ThreadClient<FilterApi>, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#giveUp(`judging it ended the matcher (${messageOf(error)}); it was left out`);
    void this.#restart();
  }

  /** Answers the line that is being judged without a verdict. */
  #giveUp(message: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    this.#options.onNote(`line ${waiting.line}: ${message}.`);
    this.#settle(waiting, JSON.stringify(errorVerdict(idIn(waiting.text), waiting.line, message, this.#stopped)));
  }

  async #restart(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.kill();
    await this.#started();
  }
}

/** Processor time of this process in milliseconds. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
