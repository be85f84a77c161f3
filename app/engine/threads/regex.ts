// The thread that runs rule patterns. Patterns come from people: one may run for ever, so the engine kills this thread at
// its deadline and starts another. It holds nothing that could be lost.

import type { RulePack } from '../../contract/rule-pack.ts';
import { type CompiledPack, compilePack } from '../../domain/detect/compile.ts';
import { type PreparedRollout, prepareRollout } from '../../domain/detect/prepare.ts';
import { scanRollout, scanRule } from '../../domain/detect/scan.ts';
import type { RuleHit, ScanRollout } from '../../domain/detect/types.ts';
import { Refusal } from '../../shared/errors.ts';
import { type ExampleFailure, runExamples } from '../rules/parse-pack.ts';
import { serveThread } from './rpc.ts';

let compiled: CompiledPack | null = null;
let held: readonly PreparedRollout[] = [];

function pack(): CompiledPack {
  if (compiled === null) throw new Refusal('pack-not-loaded', 'No rule pack is loaded.');
  return compiled;
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
  /** The hits of all rules but `skip` in each rollout. */
  scan(args: { readonly rollouts: readonly ScanRollout[]; readonly skip: readonly string[] }): RuleHit[][] {
    const skip = new Set(args.skip);
    return args.rollouts.map((rollout) => scanRollout(pack(), rollout, { skip }));
  },
  /** Prepares rollouts for `scanOne`, so that their texts are read once and not once a rule. */
  hold(args: { readonly rollouts: readonly ScanRollout[] }): null {
    held = args.rollouts.map(prepareRollout);
    return null;
  },
  /** The hits of one rule in each held rollout, for finding the one that blows up. */
  scanOne(args: { readonly rule: string }): RuleHit[][] {
    const rule = pack().rules.find((candidate) => candidate.rule.id === args.rule);
    return held.map((rollout) => (rule === undefined ? [] : scanRule(rule, rollout)));
  },
  /** Examples of the loaded rules that do not do what they should; of one rule where it is named. */
  examples(args: { readonly rule?: string }): ExampleFailure[] {
    const rules = pack().rules.filter(({ rule }) => args.rule === undefined || rule.id === args.rule);
    return runExamples({ ...pack(), rules });
  },
};
export type RegexApi = typeof api;

serveThread(api);
