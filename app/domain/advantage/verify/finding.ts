// From the candidates of one rollout to its finding: a diagnosis in words with its confidence, evidence and alternatives.

import type { Diagnosis, DiagnosisCode, RolloutVerification } from '../../../contract/verify.ts';
import { divergencesOf } from './compare.ts';
import type { Explanation } from './explain.ts';
import { type RolloutFits, runSetting, type SettingFit } from './fits.ts';
import { type Repeat, repeatsOf } from './repeated.ts';
import type { Discount, Recomputed } from './sequences.ts';
import { discountOf, type Setting, settingLabel } from './settings.ts';
import type { Trace } from './traces.ts';
import { advice, likelihood, titles } from './words.ts';

export interface Finding {
  readonly diagnosis: Diagnosis;
  readonly alternatives: RolloutVerification['alternatives'];
  /** The setting that the diagnosis is about: the one that reproduces the log, or the nearest. */
  readonly setting: Setting | null;
  readonly discount: Discount | null;
  /** What the log is shown against; null: the nearest fit. */
  readonly reference: Recomputed | null;
}

/** An explanation together with the setting it is, if it is one. */
export interface Candidate extends Explanation {
  readonly setting: Setting | null;
}

/** Lower is likelier. */
function rankOf(candidate: Candidate): number {
  return (candidate.asNamed || candidate.code === 'wrong-discount' ? 0 : 100) + likelihood.indexOf(candidate.code);
}

/** The likeliest candidate; the first of equals. */
export function best(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (first, one) => (first === undefined || rankOf(one) < rankOf(first) ? one : first),
    undefined,
  );
}
/** The finding of a rollout. `fits` are its own; `batch` is what settings over groups and batches are run on. */
export function findingOf(
  trace: Trace,
  candidates: readonly Candidate[],
  fits: RolloutFits | undefined,
  batch: readonly Trace[],
): Finding {
  const repeats = repeatsOf(trace);
  const found = best(candidates);
  const others = alternativesTo(found, candidates);
  const main = found === undefined ? null : explained(trace, found, others.length);
  if (repeats.length > 0 && (found === undefined || found.code === 'clean')) {
    const alternatives = main === null || found?.code === 'clean' ? [] : [main];
    return {
      ...bare(trainedTwice(trace, repeats, found)),
      alternatives,
      setting: found?.setting ?? null,
      discount: found?.discount ?? null,
    };
  }
  if (trace.tokens === 0)
    return bare(plain('not-logged', 'No advantages or returns are logged at trainable tokens.', 1, []));
  if (found === undefined || main === null) return unexplained(trace, fits, batch);
  return {
    diagnosis: main,
    alternatives: others,
    setting: found.setting,
    discount: found.discount,
    reference: found.reference,
  };
}

function bare(diagnosis: Diagnosis): Finding {
  return { diagnosis, alternatives: [], setting: null, discount: null, reference: null };
}

function plain(code: DiagnosisCode, sentence: string, confidence: number, evidence: readonly string[]): Diagnosis {
  return { code, title: titles[code], sentence, confidence, evidence: [...evidence] };
}

/** Other codes that reproduce the log, likeliest first. A clean rollout has none: what changes nothing is no finding. */
function alternativesTo(
  found: Candidate | undefined,
  candidates: readonly Candidate[],
): RolloutVerification['alternatives'] {
  if (found === undefined || found.code === 'clean') return [];
  const others = candidates.filter(({ code }) => code !== found.code).toSorted((a, b) => rankOf(a) - rankOf(b));
  const codes = [...new Set(others.map(({ code }) => code))];
  return codes.map((code, i) => ({ code, title: titles[code], confidence: round(0.3 / (i + 1)) }));
}

function round(x: number): number {
  return Math.round(x * 100) / 100;
}

/** All tokens are reproduced; what lowers the confidence is what else would do it and what had to be fitted. */
function explained(trace: Trace, found: Candidate, rivals: number): Diagnosis {
  const constraints = Math.max(0, 1 - (found.fitted + 1) / (trace.tokens + 1));
  const confidence = round(
    Math.min(found.atMost ?? 1, 0.99 * constraints ** 0.5 * (rivals === 0 ? 1 : found.asNamed ? 0.85 : 0.7)),
  );
  const { setting } = found;
  const hint = advice[found.code];
  if (found.code === 'clean' && setting !== null) {
    const names = setting.presets.length > 0 ? ` (${setting.presets.join(', ')})` : '';
    return plain(
      'clean',
      `Follows ${settingLabel(setting)}${names}: all ${trace.tokens} tokens agree.`,
      confidence,
      found.evidence,
    );
  }
  const opening = setting === null ? `The log is reproduced when ${found.when}.` : `The log ${found.when}.`;
  const sentence = `${opening}${hint === undefined ? '' : ` ${hint}`}`;
  const extra =
    found.evidence.length > 0
      ? found.evidence
      : [`All ${trace.tokens} compared tokens agree within ${trace.tolerance}.`];
  return plain(found.code, sentence, confidence, extra);
}

function trainedTwice(trace: Trace, repeats: readonly Repeat[], found: Candidate | undefined): Diagnosis {
  const tokens = repeats.reduce((sum, { length }) => sum + length, 0);
  const places = repeats
    .slice(0, 4)
    .map(
      ({ segment, token, length, from }) =>
        `segment ${segment}, tokens ${token}–${token + length - 1}: the same ids as in segment ${from.segment} from token ${from.token}`,
    );
  const follows =
    found?.setting === null || found === undefined
      ? []
      : [`Apart from that the log follows ${settingLabel(found.setting)}.`];
  const sentence = `${tokens} tokens with loss are copies of tokens trained in an earlier segment. ${advice['trained-twice'] ?? ''}`;
  return plain(
    'trained-twice',
    sentence,
    trace.input.segments.some((s) => s.logprobs?.rollout !== undefined) ? 0.97 : 0.9,
    [...places, ...follows],
  );
}

/** Nothing reproduces the log: a refusal when the critic is missing, else how near it comes and where it parts. */
function unexplained(trace: Trace, own: RolloutFits | undefined, batch: readonly Trace[]): Finding {
  const nearest = own?.fits.reduce<SettingFit | undefined>(
    (a, b) => (a === undefined || b.agreement.share > a.agreement.share ? b : a),
    undefined,
  );
  const hasValues = trace.segments.some(({ values }) => values !== null);
  if (trace.input.reward === null && trace.segments.every(({ rewards }) => rewards.every((r) => r === 0))) {
    const message = 'No reward is logged for this rollout, so there is nothing to recompute its advantages from.';
    return bare(plain('refused', message, 1, ['reward_missing']));
  }
  if (!hasValues || nearest === undefined) {
    const message =
      own?.refusal?.message ?? 'No critic values are logged, and no estimator without a critic gives this log.';
    return bare(
      plain(
        'refused',
        message,
        1,
        hasValues ? [] : ['Estimators with a critic were not tried; those without one do not give this log.'],
      ),
    );
  }
  const share = nearest.agreement.share;
  const lines = [
    `Nearest: ${settingLabel(nearest.setting)}, which agrees at ${(share * 100).toFixed(1)} % of ${trace.tokens} tokens.`,
  ];
  const recomputed = runSetting(nearest.setting, trace, batch);
  const divergences = recomputed === null ? [] : divergencesOf(trace, recomputed);
  for (const { segment, token, differing, compared } of divergences.slice(0, 3)) {
    const place = trace.segments.find(({ index }) => index === segment);
    const at = token - (place?.offset ?? 0);
    const edge = place !== undefined && place.mask[at] === 1 && at + 1 < place.length && place.mask[at + 1] !== 1;
    lines.push(
      `Segment ${segment} parts at token ${token}${edge ? ', the last before an observation' : ''}: ${differing} of ${compared} tokens differ.`,
    );
  }
  const diagnosis = plain(
    'unexplained',
    `No preset, option or known mistake gives this log. ${advice.unexplained ?? ''}`,
    round(0.5 * (1 - share) + 0.4),
    lines,
  );
  return { ...bare(diagnosis), setting: nearest.setting, discount: discountOf(nearest.setting), reference: recomputed };
}
