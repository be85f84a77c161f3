// Verify my trainer: compares the advantages that a trainer logged with everything that can be recomputed, and says for each
// rollout whether it is what a paper says, where it first parts, and why.

import type { CriticStandIn, DiagnosisCode, Fit, RolloutVerification } from '../../../contract/verify.ts';
import { defined } from '../../../shared/assert.ts';
import { criticLabel, withCritic } from '../critic.ts';
import { refusalOf } from '../refusal.ts';
import type { EstimatorError, EstimatorInput } from '../types.ts';
import { divergencesOf } from './compare.ts';
import { diagnose } from './diagnose.ts';
import { adaptiveOf, discountsOf, type Walked } from './estimate.ts';
import type { Finding } from './finding.ts';
import { fitAll, nearest, runSetting, type SettingFit } from './fits.ts';
import { returnsOf } from './returns.ts';
import { type Discount, trainableSequence } from './sequences.ts';
import { type Occasion, presetSetting, type Setting, sameLambda, settingLabel, settingsFor } from './settings.ts';
import { type LoggedRollout, readTrace, type Trace, withPrecision } from './traces.ts';
import { wrongWalks } from './walks.ts';
import { titles } from './words.ts';

export type { LoggedRollout, LoggedSegment } from './traces.ts';

export interface VerifyOptions {
  readonly critic?: CriticStandIn;
  /** Name of the joined file, when the critic is one. */
  readonly criticFile?: string | null;
  /** Preset that the trainer is meant to follow; see `presets.ts`. */
  readonly expect?: string | undefined;
  /** Called now and then during long work; what it throws ends it. */
  readonly checkpoint?: () => void;
}

/** Fits listed for a rollout. */
const listed = 8;
/** Estimated discounts that are tried over a whole batch. */
const mostDiscounts = 8;

/**
 * Compares logged advantages (or returns) with every preset and its options. `input` is one batch, a training step as far as
 * the log has it: baselines and whitening are over all of it. `logged[i]` belongs to `input.rollouts[i]`; its advantages, when
 * given, stand before those of the input. Results are in the order of the input and do not depend on it. Never throws for
 * bad data: a rollout that cannot be read or compared says so in its own result.
 */
export function verifyRollouts(
  input: EstimatorInput,
  logged: readonly LoggedRollout[],
  options: VerifyOptions = {},
): RolloutVerification[] {
  const { critic = { kind: 'logged' }, criticFile = null, checkpoint = () => undefined } = options;
  const critics = { critic, file: criticFile };
  const results = new Array<RolloutVerification>(input.rollouts.length);
  const read: Trace[] = [];
  const batch = withCritic(input, critic);
  for (const [place, rollout] of batch.rollouts.entries()) {
    try {
      read.push(readTrace(rollout, logged[place], place, batch));
    } catch (thrown) {
      results[place] = unreadable(rollout.id, refusalOf(thrown), critics);
    }
  }
  // Sums over the batch must not depend on the order in which it was given.
  const traces = withPrecision(read.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.place - b.place)));
  const expected = options.expect === undefined ? null : presetSetting(options.expect);
  const occasion = occasionOf(traces);
  const settings = settingsOf(traces, expected, occasion);
  const fits = fitAll(traces, settings, checkpoint);
  const findings = diagnose({ traces, settings, fits, expected, named: namedDiscount(traces), occasion, checkpoint });
  for (const trace of traces) {
    const finding = defined(findings.get(trace), 'the finding of a trace');
    results[trace.place] = resultOf(trace, traces, critics, fits.get(trace)?.fits ?? [], finding);
  }
  return results;
}

/** The discount of the producer's configuration when all rollouts name the same; a missing gamma is 1. */
function namedDiscount(traces: readonly Trace[]): Discount | null {
  const first = traces.find(({ lambda }) => lambda !== null);
  if (first === undefined || first.lambda === null) return null;
  const gamma = first.gamma ?? 1;
  const same = traces.every((trace) => trace.lambda === null || sameLambda(trace.lambda, first.lambda));
  return same ? { gamma, lambda: first.lambda } : null;
}

function settingsOf(
  traces: readonly Trace[],
  expected: Setting | null,
  occasion: Omit<Occasion, 'discounts'>,
): Setting[] {
  const named = namedDiscount(traces);
  const settings = settingsFor({ ...occasion, discounts: discountsOfBatch(traces, named) });
  if (expected === null) return settings;
  return [expected, ...settings.filter(({ key }) => key !== expected.key)];
}

function occasionOf(traces: readonly Trace[]): Omit<Occasion, 'discounts'> {
  const segments = traces.flatMap((trace) => trace.segments);
  return {
    hasValues: segments.some(({ values }) => values !== null),
    hasTeacher: traces.some(({ input }) => input.segments.some((segment) => segment.logprobs?.teacher !== undefined)),
    hasGreedy: traces.some(({ input }) => typeof input.greedyReward === 'number'),
    hasBootstrap: traces.some(({ input }) => input.status === 'truncated' && typeof input.bootstrapValue === 'number'),
    hasMaskedRewards: segments.some(({ rewards, mask }) => rewards.some((r, t) => r !== 0 && mask[t] !== 1)),
  };
}

/** The discounts tried over the batch: the named one, then those that most rollouts suggest, each under both ways of walking. */
function discountsOfBatch(traces: readonly Trace[], named: Discount | null): Discount[] {
  const votes = new Map<string, { discount: Discount; count: number; order: number }>();
  const vote = (list: readonly Discount[], weight = 1): void => {
    for (const [order, discount] of list.entries()) {
      const key = JSON.stringify(discount);
      const known = votes.get(key);
      if (known === undefined) votes.set(key, { discount, count: weight, order });
      else votes.set(key, { ...known, count: known.count + weight, order: Math.min(known.order, order) });
    }
  };
  const walks = [
    { build: trainableSequence },
    ...wrongWalks.filter(({ code }) => code === 'observations-as-transitions'),
  ];
  const gammas = named === null ? [] : [named.gamma];
  for (const walk of walks) {
    const pool: Walked[] = [];
    for (const trace of traces) {
      const sequences = trace.segments.map((segment) => walk.build(segment, 'logged'));
      const whole = sequences.filter((sequence) => sequence !== null);
      if (trace.tokens === 0 || whole.length !== sequences.length) continue;
      const walked = { trace, sequences: whole };
      pool.push(walked);
      for (const freedom of ['exact', 'scale'] as const) {
        vote(discountsOf([walked], freedom, gammas));
        vote(adaptiveOf(walked, freedom).map((lambda) => ({ gamma: 1, lambda })));
      }
    }
    // Whatever single rollouts say, the whole batch says it better.
    vote(discountsOf(pool, 'exact', gammas).slice(0, 3), pool.length);
  }
  const found = [...votes.values()]
    .toSorted(
      (a, b) =>
        b.count - a.count || a.order - b.order || (JSON.stringify(a.discount) < JSON.stringify(b.discount) ? -1 : 1),
    )
    .slice(0, mostDiscounts)
    .map(({ discount }) => discount);
  return named === null ? found : [named, ...found.filter((one) => JSON.stringify(one) !== JSON.stringify(named))];
}

function fitRecord({ setting, agreement }: SettingFit): Fit {
  const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);
  return {
    estimator: setting.estimator,
    params: { ...setting.params },
    presets: [...setting.presets],
    label: settingLabel(setting),
    max: finite(agreement.max),
    p99: finite(agreement.p99),
    agreeing: agreement.share,
  };
}

function statusOf(code: DiagnosisCode): RolloutVerification['status'] {
  if (code === 'clean' || code === 'refused' || code === 'not-logged') return code;
  return 'found';
}

/** The critic and the name of its file. */
interface Critics {
  readonly critic: CriticStandIn;
  readonly file: string | null;
}

function resultOf(
  trace: Trace,
  batch: readonly Trace[],
  { critic, file }: Critics,
  fits: readonly SettingFit[],
  finding: Finding,
): RolloutVerification {
  const near = nearest(trace, fits, batch, listed);
  // The setting that the diagnosis is about stands first, also where another has the smaller percentile by chance.
  const about = fits.filter(({ setting }) => setting === finding.setting);
  const named = nearest(trace, about, batch, 1);
  const ordered = [...named, ...near.filter(({ setting }) => setting !== finding.setting)].slice(0, listed);
  const first = ordered[0];
  const reference = finding.reference ?? (first === undefined ? null : runSetting(first.setting, trace, batch));
  return {
    id: trace.id,
    status: statusOf(finding.diagnosis.code),
    compared: trace.compared,
    tokens: trace.tokens,
    precision: trace.compared === null ? null : trace.precision,
    tolerance: trace.compared === null ? null : trace.tolerance,
    critic: criticLabel(
      critic,
      trace.segments.some(({ values }) => values !== null),
      file,
    ),
    fits: ordered.map(fitRecord),
    divergences: reference === null ? [] : divergencesOf(trace, reference),
    diagnosis: finding.diagnosis,
    alternatives: finding.alternatives,
    returns: returnsOf(trace, finding.discount),
  };
}

/** A rollout whose mask cannot be read. */
function unreadable(id: string, error: EstimatorError, { critic, file }: Critics): RolloutVerification {
  return {
    id,
    status: 'refused',
    compared: null,
    tokens: 0,
    precision: null,
    tolerance: null,
    critic: criticLabel(critic, true, file),
    fits: [],
    divergences: [],
    diagnosis: {
      code: 'refused',
      title: titles.refused,
      sentence: error.message,
      confidence: 1,
      evidence: [error.code],
    },
    alternatives: [],
    returns: null,
  };
}
