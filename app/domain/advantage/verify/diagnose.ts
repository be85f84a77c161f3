// From fits to one diagnosis per rollout: what the batch follows, who does not, and the likeliest reason.

import type { Diagnosis, DiagnosisCode, RolloutVerification } from '../../../contract/verify.ts';
import { divergencesOf } from './compare.ts';
import { type Explanation, explanationsOf, figure } from './explain.ts';
import { isExact, type RolloutFits, runSetting, type SettingFit } from './fits.ts';
import { baselineLabel, membersOf, readGroup } from './groups.ts';
import { type Repeat, repeatsOf } from './repeated.ts';
import { type Discount, type Recomputed, recompute, signalOf, trainableSequence } from './sequences.ts';
import { discountLabel, type Setting, sameLambda, settingLabel } from './settings.ts';
import type { Trace } from './traces.ts';
import { whiteningOf } from './whitened.ts';
import { advice, likelihood, titles } from './words.ts';

export interface Evidence {
  readonly traces: readonly Trace[];
  readonly settings: readonly Setting[];
  readonly fits: ReadonlyMap<Trace, RolloutFits>;
  readonly expected: Setting | null;
  readonly named: Discount | null;
}

export interface Finding {
  readonly diagnosis: Diagnosis;
  readonly alternatives: RolloutVerification['alternatives'];
  /** The setting that reproduces the log, when the diagnosis is that. */
  readonly setting: Setting | null;
  readonly discount: Discount | null;
  /** What the log is shown against; null: the nearest fit. */
  readonly reference: Recomputed | null;
}

/** An explanation together with the setting it is, if it is one. */
interface Candidate extends Explanation {
  readonly setting: Setting | null;
}

/** One finding for every trace. */
export function diagnose(evidence: Evidence): Map<Trace, Finding> {
  const { traces, fits } = evidence;
  const exact = new Map(traces.map((trace) => [trace, (fits.get(trace)?.fits ?? []).filter(isExact).map(({ setting }) => setting)]));
  const followed = followedBy(evidence, exact);
  const candidates = new Map(
    traces.map((trace) => [trace, settingCandidates(trace, exact.get(trace) ?? [], followed, evidence)]),
  );
  const open = traces.filter((trace) => trace.tokens > 0 && best(candidates.get(trace) ?? [])?.code !== 'clean');
  if (open.length > 0) {
    const prior = { likely: likelyDiscounts(evidence, followed), named: evidence.named };
    const whitening = whiteningOf(open, evidence.settings, evidence.named);
    for (const trace of open) {
      const whitened = whitening.get(trace);
      const own = [...(whitened === undefined ? [] : [whitened]), ...explanationsOf(trace, prior)];
      candidates.get(trace)?.push(...own.map((one) => ({ ...one, setting: null })));
    }
    for (const [trace, explanation] of groupExplanations(evidence, open)) {
      // A baseline that fits the whole group beats what fits one member by chance, such as an advantage of 0.
      candidates.set(trace, [{ ...explanation, setting: null }, ...(candidates.get(trace) ?? []).filter(({ code }) => code !== 'clean')]);
    }
  }
  return new Map(traces.map((trace) => [trace, findingOf(trace, candidates.get(trace) ?? [], evidence)]));
}

/** The setting that reproduces the most rollouts; the first of the list where several do. */
function followedBy({ settings, expected, traces }: Evidence, exact: ReadonlyMap<Trace, readonly Setting[]>): Setting | null {
  if (expected !== null) return expected;
  const counts = new Map<Setting, number>();
  for (const trace of traces) for (const setting of exact.get(trace) ?? []) counts.set(setting, (counts.get(setting) ?? 0) + 1);
  let followed: Setting | null = null;
  for (const setting of settings) {
    if ((counts.get(setting) ?? 0) > (followed === null ? 0 : (counts.get(followed) ?? 0))) followed = setting;
  }
  return followed;
}

function discountOf(setting: Setting | null): Discount | null {
  return setting === null || setting.gamma === null || setting.lambda === null ? null : { gamma: setting.gamma, lambda: setting.lambda };
}

function sameDiscount(a: Discount, b: Discount): boolean {
  return a.gamma === b.gamma && sameLambda(a.lambda, b.lambda);
}

/** What it means that these settings reproduce a rollout, the one to name first in front. */
function settingCandidates(
  trace: Trace,
  exact: readonly Setting[],
  followed: Setting | null,
  evidence: Evidence,
): Candidate[] {
  const { expected, named } = evidence;
  const ordered = followed !== null && exact.includes(followed) ? [followed, ...exact.filter((one) => one !== followed)] : exact;
  return ordered.map((setting): Candidate => {
    const discount = discountOf(setting);
    const asNamed = named === null || discount === null || sameDiscount(named, discount);
    const base = { discount, asNamed, fitted: 0, setting, reference: null };
    const label = settingLabel(setting);
    const clean = { ...base, code: 'clean' as const, when: `it follows ${label}`, evidence: [] };
    if (expected !== null && setting === expected) return { ...clean, asNamed: true };
    if (setting.convention !== null) return conventionCandidate(trace, setting, base);
    if (named !== null && !asNamed && expected === null) {
      const text = `The configuration names ${discountLabel(named.gamma, named.lambda)}; ${label} reproduces the log.`;
      return { ...base, code: 'wrong-discount', when: `it is ${label}`, evidence: [text], reference: under(trace, setting, named) };
    }
    if (followed === null || followed.convention !== null || exact.includes(followed)) return clean;
    const rest = expected === null ? 'most of the batch follows' : 'expected is';
    const text = `${label} reproduces this rollout; ${rest} ${settingLabel(followed)}.`;
    const reference = runSetting(followed, trace, evidence.traces);
    const wanted = discountOf(followed);
    if (wanted !== null && discount !== null && followed.estimator === setting.estimator && !sameDiscount(wanted, discount)) {
      return { ...base, code: 'wrong-discount', when: `it is ${label}`, evidence: [text], reference };
    }
    const uncounted = followed.estimator === 'gae_cross' && setting.estimator === 'gae_local' && setting.params.reward_placement !== 'last_segment';
    if (uncounted && wanted !== null && discount !== null && sameDiscount(wanted, discount)) {
      return { ...base, code: 'siblings-missing', when: 'no later segment is counted after any segment', evidence: [text], reference };
    }
    return { ...base, code: 'other-estimator', when: `it is ${label}`, evidence: [text], reference };
  });
}

/** A rollout that follows a trainer's convention: named with the preset, and shown against what the convention leaves. */
function conventionCandidate(trace: Trace, setting: Setting, base: Omit<Candidate, 'code' | 'when' | 'evidence'>): Candidate {
  const label = settingLabel(setting);
  const name = setting.presets[0];
  const discount = discountOf(setting);
  return {
    ...base,
    code: setting.convention ?? 'clean',
    when: `it follows ${name === undefined ? label : `${name} (${label})`}`,
    evidence: [],
    reference: discount === null ? null : local(trace, discount),
  };
}

function local(trace: Trace, discount: Discount): Recomputed | null {
  const signal = signalOf(trace);
  const sequences = trace.segments.map((segment) => trainableSequence(segment)).filter((one) => one !== null);
  if (signal === null || sequences.length !== trace.segments.length) return null;
  return recompute(trace, sequences, 'local', discount, signal);
}

/** The same setting with another discount. */
function under(trace: Trace, setting: Setting, discount: Discount): Recomputed | null {
  const params = { ...setting.params, gamma: discount.gamma, lambda: discount.lambda };
  return runSetting({ ...setting, params }, trace, [trace]);
}

/** Discounts tried for every explanation: named, found in the rest of the batch, and those of the presets. */
function likelyDiscounts({ named, settings }: Evidence, followed: Setting | null): Discount[] {
  const list = [named, discountOf(followed), ...settings.filter(({ presets }) => presets.length > 0).map(discountOf)];
  const known = list.filter((one) => one !== null);
  return known.filter((one, i) => known.findIndex((other) => sameDiscount(one, other)) === i);
}

/** Baselines of groups with an unexplained member. */
function groupExplanations({ traces }: Evidence, open: readonly Trace[]): Map<Trace, Explanation> {
  const found = new Map<Trace, Explanation>();
  for (const group of new Set(open.map((trace) => trace.group))) {
    const all = traces.filter((trace) => trace.group === group);
    const members = membersOf(all);
    if (members === null) continue;
    const rest = all.flatMap(({ tokens, input }) => (tokens === 0 && input.reward !== null ? [input.reward] : []));
    const reading = readGroup(members, rest);
    if (reading === null) continue;
    const baseline = baselineLabel(reading.baseline);
    const base = { discount: null, asNamed: true, fitted: 0, reference: null };
    const explanation = ((): Explanation => {
      switch (reading.kind) {
        case 'segments-counted': {
          const counts = members.map(({ trace }) => trace.segments.length).join(', ');
          const text = `${baseline} over segments (${counts} per member) has mean ${figure(reading.mean)} and gives every advantage of the group.`;
          return { ...base, code: 'siblings-counted-twice', when: `the group mean (${baseline}) counts every segment as a member`, evidence: [text] };
        }
        case 'member-left-out':
          return {
            ...base,
            code: 'siblings-missing',
            when: `${reading.left.join(' and ')} is left out of the group baseline (${baseline})`,
            evidence: [`${baseline} without ${reading.left.join(' and ')} gives every advantage of the group.`],
          };
        case 'member-not-logged':
          return {
            ...base,
            code: 'siblings-missing',
            when: `the group baseline (${baseline}) has ${reading.rewards.length} more member(s) than the log, with reward ${reading.rewards.map(figure).join(', ')}`,
            evidence: [`${baseline} over ${members.length + rest.length} logged and ${reading.rewards.length} unlogged members gives every advantage of the group.`],
          };
        case 'normaliser':
          return {
            ...base,
            code: 'normaliser-per-rollout',
            when: `each rollout (${baseline}) is multiplied by ${reading.words}`,
            evidence: [`${baseline} times ${reading.words} gives every advantage of the group.`],
          };
      }
    })();
    for (const { trace } of members) found.set(trace, explanation);
  }
  return found;
}

/** Lower is likelier. */
function rankOf(candidate: Candidate): number {
  return (candidate.asNamed || candidate.code === 'wrong-discount' ? 0 : 100) + likelihood.indexOf(candidate.code);
}

function best(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>((first, one) => (first === undefined || rankOf(one) < rankOf(first) ? one : first), undefined);
}

function findingOf(trace: Trace, candidates: readonly Candidate[], evidence: Evidence): Finding {
  const repeats = repeatsOf(trace);
  const found = best(candidates);
  const others = alternativesTo(found, candidates);
  const main = found === undefined ? null : explained(trace, found, others.length);
  if (repeats.length > 0 && (found === undefined || found.code === 'clean')) {
    const alternatives = main === null || found?.code === 'clean' ? [] : [main];
    return { ...bare(trainedTwice(trace, repeats, found)), alternatives, setting: found?.setting ?? null, discount: found?.discount ?? null };
  }
  if (trace.tokens === 0) return bare(plain('not-logged', 'No advantages or returns are logged at trainable tokens.', 1, []));
  if (found === undefined || main === null) return bare(unexplained(trace, evidence));
  return { diagnosis: main, alternatives: others, setting: found.setting, discount: found.discount, reference: found.reference };
}

function bare(diagnosis: Diagnosis): Finding {
  return { diagnosis, alternatives: [], setting: null, discount: null, reference: null };
}

function plain(code: DiagnosisCode, sentence: string, confidence: number, evidence: readonly string[]): Diagnosis {
  return { code, title: titles[code], sentence, confidence, evidence: [...evidence] };
}

/** Other codes that reproduce the log, likeliest first. A clean rollout has none: what changes nothing is no finding. */
function alternativesTo(found: Candidate | undefined, candidates: readonly Candidate[]): RolloutVerification['alternatives'] {
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
  const confidence = round(0.99 * constraints ** 0.5 * (rivals === 0 ? 1 : found.asNamed ? 0.85 : 0.7));
  const { setting } = found;
  const hint = advice[found.code];
  if (found.code === 'clean' && setting !== null) {
    const names = setting.presets.length > 0 ? ` (${setting.presets.join(', ')})` : '';
    return plain('clean', `Follows ${settingLabel(setting)}${names}: all ${trace.tokens} tokens agree.`, confidence, found.evidence);
  }
  const sentence = `The log is reproduced when ${found.when}.${hint === undefined ? '' : ` ${hint}`}`;
  const extra = found.evidence.length > 0 ? found.evidence : [`All ${trace.tokens} compared tokens agree within ${trace.tolerance}.`];
  return plain(found.code, sentence, confidence, extra);
}

function trainedTwice(trace: Trace, repeats: readonly Repeat[], found: Candidate | undefined): Diagnosis {
  const tokens = repeats.reduce((sum, { length }) => sum + length, 0);
  const places = repeats
    .slice(0, 4)
    .map(({ segment, token, length, from }) => `segment ${segment}, tokens ${token}–${token + length - 1}: the same ids as in segment ${from.segment} from token ${from.token}`);
  const follows = found?.setting === null || found === undefined ? [] : [`Apart from that the log follows ${settingLabel(found.setting)}.`];
  const sentence = `${tokens} tokens with loss are copies of tokens trained in an earlier segment. ${advice['trained-twice'] ?? ''}`;
  return plain('trained-twice', sentence, trace.input.segments.some((s) => s.logprobs?.rollout !== undefined) ? 0.97 : 0.9, [...places, ...follows]);
}

/** Nothing reproduces the log: a refusal when the critic is missing, else how near it comes and where it parts. */
function unexplained(trace: Trace, evidence: Evidence): Diagnosis {
  const own = evidence.fits.get(trace);
  const nearest = own?.fits.reduce<SettingFit | undefined>((a, b) => (a === undefined || b.agreement.share > a.agreement.share ? b : a), undefined);
  const hasValues = trace.segments.some(({ values }) => values !== null);
  if (!hasValues || nearest === undefined) {
    const message = own?.refusal?.message ?? 'No critic values are logged, and no estimator without a critic gives this log.';
    return plain('refused', message, 1, hasValues ? [] : ['Estimators with a critic were not tried; those without one do not give this log.']);
  }
  const share = nearest.agreement.share;
  const lines = [`Nearest: ${settingLabel(nearest.setting)}, which agrees at ${(share * 100).toFixed(1)} % of ${trace.tokens} tokens.`];
  const recomputed = runSetting(nearest.setting, trace, evidence.traces);
  const divergences = recomputed === null ? [] : divergencesOf(trace, recomputed);
  for (const { segment, token, differing, compared } of divergences.slice(0, 3)) {
    const place = trace.segments.find(({ index }) => index === segment);
    const at = token - (place?.offset ?? 0);
    const edge = place !== undefined && place.mask[at] === 1 && at + 1 < place.length && place.mask[at + 1] !== 1;
    lines.push(`Segment ${segment} parts at token ${token}${edge ? ', the last before an observation' : ''}: ${differing} of ${compared} tokens differ.`);
  }
  return plain('unexplained', `No preset, option or known mistake gives this log. ${advice.unexplained ?? ''}`, round(0.5 * (1 - share) + 0.4), lines);
}
