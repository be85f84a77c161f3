// The rollouts that are going on and the pack that judges them: one line in, one verdict out. Lives in a thread of its own.

import type { RulePack } from '../../contract/rule-pack.ts';
import { type TaskContract, taskContract } from '../../contract/task-contract.ts';
import type { CompiledPack } from '../../domain/detect/compile.ts';
import { scanRollout } from '../../domain/detect/scan.ts';
import { compareSiblings } from '../../domain/detect/siblings.ts';
import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import { messageOf } from '../../shared/errors.ts';
import { idIn, parseLine, type StreamedLine } from './line.ts';
import { readWhole } from './read.ts';
import { StreamedRollout } from './rollout.ts';
import { errorVerdict, type Policy, type Verdict, verdictOf } from './verdict.ts';

/** Characters of all rollouts held together. */
const charactersHeld = 256_000_000;

export interface SessionOptions {
  readonly policy: Policy;
  /** Rollouts held at the same time; the one that was silent longest makes room. */
  readonly rollouts: number;
  /** The contract of rollouts that bring none; null where their own texts say what is allowed. */
  readonly contract: TaskContract | null;
  /** Rules that are left out: those that were stopped before. */
  readonly stopped: readonly string[];
}

/** What is being done, for a supervisor. */
export interface Progress {
  /** A line is about to be judged with so many characters in all. */
  begins(characters: number): void;
  onRule(rule: string): void;
}

/** A verdict as JSON, and what became of the rollouts held. */
export interface Answer {
  readonly json: string;
  /** The rollout that now holds the line as well, with the keys of its markers; null where the line is not held. */
  readonly held: { readonly rollout: string; readonly fresh: boolean; readonly keys: readonly string[] } | null;
  /** Rollouts that are no longer held. */
  readonly gone: readonly string[];
}

/** A rollout to be taken up again: the lines it was made of, and the keys of its markers. */
export interface HeldRollout {
  readonly rollout: string;
  readonly lines: readonly string[];
  readonly keys: readonly string[];
}

export class FilterSession {
  readonly #compiled: CompiledPack;
  readonly #options: SessionOptions;
  readonly #progress: Progress;
  readonly #skip: ReadonlySet<string>;
  readonly #rules: ReadonlyMap<string, RulePack['rules'][number]>;
  /** The one that was silent longest first. */
  readonly #rollouts = new Map<string, StreamedRollout>();
  #characters = 0;

  constructor(compiled: CompiledPack, options: SessionOptions, progress: Progress) {
    this.#compiled = compiled;
    this.#options = options;
    this.#progress = progress;
    this.#skip = new Set(options.stopped);
    this.#rules = new Map(compiled.pack.rules.map((rule) => [rule.id, rule]));
  }

  /** Judges one line. Never fails: what cannot be judged is answered with an error. Lines are judged one after the other. */
  async judge(text: string, number: number): Promise<Answer> {
    try {
      const parsed = parseLine(text);
      if (parsed.kind === 'streamed') return await this.#judgeStreamed(parsed.id, parsed.line);
      const { id: own, parts, reward } = await readWhole(text);
      const hits = this.#hits({ id: own, parts, contract: contractIn(parsed.value) ?? this.#options.contract }, reward);
      return answer(this.#verdict({ id: parsed.id, rollout: own, known: new Set() }, hits).verdict);
    } catch (error) {
      return answer(errorVerdict(idIn(text), number, messageOf(error), this.#options.stopped));
    }
  }

  /** Takes rollouts up again after a restart, without judging them. */
  async restore(rollouts: readonly HeldRollout[]): Promise<void> {
    for (const { rollout, lines, keys } of rollouts) {
      const made = new StreamedRollout();
      await made.add(...lines.flatMap((text) => streamedIn(text)));
      made.known = new Set(keys);
      this.#rollouts.set(rollout, made);
      this.#characters += made.characters;
    }
  }

  async #judgeStreamed(id: Verdict['id'], line: StreamedLine): Promise<Answer> {
    const { rollout: name, op } = line;
    const held = op === 'begin' ? undefined : this.#rollouts.get(name);
    const rollout = held ?? new StreamedRollout();
    const before = rollout.characters;
    await rollout.add(line);
    const hits = this.#hits(
      {
        id: name,
        parts: rollout.parts,
        contract: rollout.contract ?? this.#options.contract,
        growth: rollout.growth,
      },
      line.reward ?? null,
    );
    const { verdict, keys } = this.#verdict({ id, rollout: name, known: rollout.known }, hits);
    rollout.known = keys;
    if (op === 'end') {
      this.#forget(name);
      return { ...answer(verdict), gone: [name] };
    }
    if (held === undefined) this.#forget(name);
    else this.#characters -= before;
    this.#rollouts.delete(name);
    this.#rollouts.set(name, rollout);
    this.#characters += rollout.characters;
    return {
      ...answer(verdict),
      held: { rollout: name, fresh: held === undefined, keys: [...keys] },
      gone: this.#makeRoom(name),
    };
  }

  #hits(rollout: ScanRollout, reward: number | null): readonly RuleHit[] {
    this.#progress.begins(rollout.parts.reduce((sum, { text }) => sum + text.length, 0));
    const hits = scanRollout(this.#compiled, rollout, {
      skip: this.#skip,
      onRule: (rule) => this.#progress.onRule(rule),
    });
    if (reward === null) return hits;
    return compareSiblings(this.#compiled.pack.rules, [{ reward, hits }])[0] ?? hits;
  }

  #verdict(subject: Parameters<typeof verdictOf>[0], hits: readonly RuleHit[]): ReturnType<typeof verdictOf> {
    return verdictOf(subject, hits, this.#rules, this.#options.policy, this.#options.stopped);
  }

  #forget(name: string): void {
    this.#characters -= this.#rollouts.get(name)?.characters ?? 0;
    this.#rollouts.delete(name);
  }

  #makeRoom(kept: string): string[] {
    const gone: string[] = [];
    for (const name of this.#rollouts.keys()) {
      if (this.#rollouts.size <= this.#options.rollouts && this.#characters <= charactersHeld) break;
      if (name === kept) continue;
      this.#forget(name);
      gone.push(name);
    }
    return gone;
  }
}

function answer(verdict: Verdict): Answer {
  return { json: JSON.stringify(verdict), held: null, gone: [] };
}

function streamedIn(text: string): StreamedLine[] {
  const parsed = parseLine(text);
  return parsed.kind === 'streamed' ? [parsed.line] : [];
}

/** The contract that a whole record brings under `contract`; null where it brings none. @throws ZodError for a wrong one. */
function contractIn(value: object): TaskContract | null {
  return 'contract' in value && value.contract !== null ? taskContract.parse(value.contract) : null;
}
