// The thread that runs rule patterns. Patterns come from people: one may run for ever, so the engine kills this thread at
// its deadline and starts another. It reads stored rollouts itself, over a connection that can only read, and holds nothing that
// could be lost.

import { workerData } from 'node:worker_threads';
import { close, openReader, type ReadDb } from '../../../db/open.ts';
import type { RulePack } from '../../contract/rule-pack.ts';
import { type CompiledPack, compilePack } from '../../domain/detect/compile.ts';
import { type PreparedRollout, prepareRollout } from '../../domain/detect/prepare.ts';
import { scanRollout, scanRule } from '../../domain/detect/scan.ts';
import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import { Refusal } from '../../shared/errors.ts';
import { type ExampleFailure, runExamples } from '../rules/parse-pack.ts';
import { scanInput } from '../scan/scan-input.ts';
import { serveThread } from './rpc.ts';

export interface RegexData {
  /** The file whose rollouts are read; null where texts are only given. */
  readonly workspace: string | null;
}

/** Rollouts as they are, or by the row ids of stored ones. */
export type ScanTexts =
  | { readonly rollouts: readonly ScanRollout[] }
  | { readonly rolloutIds: readonly number[]; readonly cancel: Int32Array<SharedArrayBuffer> | null };

/** What was read: parts of rollouts, and UTF-16 units of their texts. */
export interface TextsRead {
  readonly texts: number;
  readonly characters: number;
}

// Boundary: the engine starts this thread with exactly this data.
const data = workerData as RegexData;
/** Texts are read once and from all over the file: pages kept would only be memory. */
const cacheMiB = 2;

let db: ReadDb | null = null;
let compiled: CompiledPack | null = null;
let held: readonly ScanRollout[] = [];
let prepared: readonly PreparedRollout[] = [];

function pack(): CompiledPack {
  if (compiled === null) throw new Refusal('pack-not-loaded', 'No rule pack is loaded.');
  return compiled;
}

function textsOf(wanted: ScanTexts): readonly ScanRollout[] {
  if ('rollouts' in wanted) return wanted.rollouts;
  if (data.workspace === null) throw new Error('This thread was started without a workspace.');
  db ??= openReader(data.workspace, { cacheMiB });
  return scanInput(db, wanted.rolloutIds, wanted.cancel);
}

const api = {
  /** Compiles the pack. */
  load(args: { readonly pack: RulePack }): null {
    const result = compilePack(args.pack);
    if (!result.ok) {
      const first = result.error[0];
      throw new Refusal(
        'pack-invalid',
        first?.message ?? 'The rule pack does not compile.',
        'Correct the rule and scan again.',
      );
    }
    compiled = result.value;
    return null;
  },
  /** Takes up rollouts for the next `scan` or `prepare`. */
  read(args: ScanTexts): TextsRead {
    held = textsOf(args);
    let texts = 0;
    let characters = 0;
    for (const { parts } of held) {
      texts += parts.length;
      for (const { text } of parts) characters += text.length;
    }
    return { texts, characters };
  },
  /** The hits of all rules but `skip` in each rollout that was read; they are let go. */
  scan(args: { readonly skip: readonly string[] }): RuleHit[][] {
    const skip = new Set(args.skip);
    const rollouts = held;
    held = [];
    return rollouts.map((rollout) => scanRollout(pack(), rollout, { skip }));
  },
  /** Prepares the rollouts that were read for `scanOne`, so that their texts are read once and not once a rule. */
  prepare(): null {
    prepared = held.map(prepareRollout);
    held = [];
    return null;
  },
  /** The hits of one rule in each prepared rollout, for finding the one that blows up. */
  scanOne(args: { readonly rule: string }): RuleHit[][] {
    const rule = pack().rules.find((candidate) => candidate.rule.id === args.rule);
    return prepared.map((rollout) => (rule === undefined ? [] : [...scanRule(rule, rollout)]));
  },
  /** Examples of the loaded rules that do not do what they should; of one rule where it is named. */
  examples(args: { readonly rule?: string }): ExampleFailure[] {
    const rules = pack().rules.filter(({ rule }) => args.rule === undefined || rule.id === args.rule);
    return runExamples({ ...pack(), rules });
  },
};
export type RegexApi = typeof api;

serveThread(api, () => {
  if (db !== null) close(db);
});
