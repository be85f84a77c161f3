// From fits to one diagnosis per rollout: what the batch follows, who does not, and the likeliest reason.

import type { DiagnosisCode } from '../../../contract/verify.ts';
import { type Explanation, explanationsOf } from './explain.ts';
import { best, type Candidate, type Finding, findingOf } from './finding.ts';
import { isExact, type RolloutFits, runSetting } from './fits.ts';
import { groupExplanations } from './group-explanations.ts';
import { type Discount, type Recomputed, recompute, signalOf, trainableSequence } from './sequences.ts';
import {
  discountLabel,
  discountOf,
  type Occasion,
  type Setting,
  sameDiscount,
  settingLabel,
  settingsFor,
} from './settings.ts';
import type { Trace } from './traces.ts';
import { whitenedDiscounts, whiteningOf } from './whitened.ts';
import { whitenedWalksOf } from './whitened-walks.ts';

export interface Evidence {
  readonly traces: readonly Trace[];
  readonly settings: readonly Setting[];
  readonly fits: ReadonlyMap<Trace, RolloutFits>;
  readonly expected: Setting | null;
  readonly named: Discount | null;
  readonly occasion: Omit<Occasion, 'discounts'>;
  readonly checkpoint: () => void;
}

/**
 * Mistakes of one rollout that can look like another clean estimator in the next: with nothing but summaries after a segment
 * leaving them out is the local estimator; with every tail masked but the last the reward is only on the last segment.
 */
const lookalikes: readonly DiagnosisCode[] = ['summaries-left-out', 'reward-on-masked-tail'];

/** One finding for every trace. */
export function diagnose(evidence: Evidence): Map<Trace, Finding> {
  const { traces, fits } = evidence;
  const exact = new Map(
    traces.map((trace) => [
      trace,
      trace.onlyMasked ? [] : (fits.get(trace)?.fits ?? []).filter(isExact).map(({ setting }) => setting),
    ]),
  );
  const followed = followedBy(evidence, exact);
  const candidates = new Map(
    traces.map((trace) => [trace, settingCandidates(trace, exact.get(trace) ?? [], followed, evidence)]),
  );
  const open = traces.filter((trace) => trace.tokens > 0 && best(candidates.get(trace) ?? [])?.code !== 'clean');
  if (open.length > 0) {
    const prior = { likely: likelyDiscounts(evidence, followed), named: evidence.named };
    const grouped = groupExplanations(traces, open, followed);
    // A baseline that fits the whole group beats what fits one member by chance, such as an advantage of 0.
    for (const [trace, explanation] of grouped) candidates.set(trace, [{ ...explanation, setting: null }]);
    const rest = open.filter((trace) => !grouped.has(trace));
    const gammas = prior.likely.map(({ gamma }) => gamma);
    const suggested = settingsFor({ ...evidence.occasion, discounts: whitenedDiscounts(rest, gammas) });
    const known = new Set(evidence.settings.map(({ key }) => key));
    const bases = [...evidence.settings, ...suggested.filter(({ key }) => !known.has(key))];
    const whitening = whiteningOf(rest, bases, evidence.named);
    const add = (trace: Trace, list: readonly Explanation[]): void => {
      candidates.get(trace)?.push(...list.map((one) => ({ ...one, setting: null })));
    };
    for (const trace of rest) {
      evidence.checkpoint();
      const whitened = whitening.get(trace);
      add(trace, [...(whitened === undefined ? [] : [whitened]), ...explanationsOf(trace, prior)]);
    }
    // Few or rounded numbers do not show their own discount; the same trainer made the rest of the batch.
    const lost = rest.filter((trace) => (candidates.get(trace) ?? []).length === 0);
    const elsewhere = rest.flatMap((trace) => best(candidates.get(trace) ?? [])?.discount ?? []);
    if (lost.length > 0 && elsewhere.length > 0) {
      const likely = elsewhere.filter((one, i) => elsewhere.findIndex((other) => sameDiscount(one, other)) === i);
      for (const trace of lost) {
        evidence.checkpoint();
        add(trace, explanationsOf(trace, { ...prior, likely: [...likely.slice(0, 6), ...prior.likely] }));
      }
    }
    const silent = rest.filter((trace) => (candidates.get(trace) ?? []).length === 0);
    if (silent.length > 0) {
      evidence.checkpoint();
      // Whitening is over the batch: what it hides, it hides in every rollout.
      for (const [trace, explanation] of whitenedWalksOf(rest, prior, evidence.checkpoint)) add(trace, [explanation]);
    }
    for (const code of lookalikes) {
      const others = traces.filter((one) => !open.includes(one) && one.segments.length > 1 && one.tokens > 0);
      const made = rest.filter((trace) => best(candidates.get(trace) ?? [])?.code === code);
      // The batch knows better, unless most of it is clean.
      if (made.length === 0 || made.length < others.length) continue;
      for (const trace of others) {
        const same = explanationsOf(trace, prior).filter((one) => one.code === code);
        if (same.length > 0)
          candidates.set(
            trace,
            same.map((one) => ({ ...one, setting: null })),
          );
      }
    }
  }
  return new Map(
    traces.map((trace) => [trace, findingOf(trace, candidates.get(trace) ?? [], fits.get(trace), traces)]),
  );
}

/** The setting that reproduces the most rollouts; the first of the list where several do. */
function followedBy(
  { settings, expected, traces }: Evidence,
  exact: ReadonlyMap<Trace, readonly Setting[]>,
): Setting | null {
  if (expected !== null) return expected;
  const counts = new Map<Setting, number>();
  for (const trace of traces)
    for (const setting of exact.get(trace) ?? []) counts.set(setting, (counts.get(setting) ?? 0) + 1);
  let followed: Setting | null = null;
  for (const setting of settings) {
    if ((counts.get(setting) ?? 0) > (followed === null ? 0 : (counts.get(followed) ?? 0))) followed = setting;
  }
  return followed;
}

/** What it means that these settings reproduce a rollout, the one to name first in front. */
function settingCandidates(
  trace: Trace,
  exact: readonly Setting[],
  followed: Setting | null,
  evidence: Evidence,
): Candidate[] {
  const { expected, named } = evidence;
  const ordered =
    followed !== null && exact.includes(followed) ? [followed, ...exact.filter((one) => one !== followed)] : exact;
  return ordered.map((setting): Candidate => {
    const discount = discountOf(setting);
    const asNamed = named === null || discount === null || sameDiscount(named, discount);
    const base = { discount, asNamed, fitted: 0, setting, reference: null };
    const label = settingLabel(setting);
    const clean = { ...base, code: 'clean' as const, when: `follows ${label}`, evidence: [] };
    if (expected !== null && setting === expected) return { ...clean, asNamed: true };
    if (setting.convention !== null) return conventionCandidate(trace, setting, base);
    if (named !== null && !asNamed && expected === null) {
      const text = `The configuration names ${discountLabel(named.gamma, named.lambda)}; ${label} reproduces the log.`;
      return {
        ...base,
        code: 'wrong-discount',
        when: `follows ${label}`,
        evidence: [text],
        reference: under(trace, setting, named),
      };
    }
    if (followed === null || exact.includes(followed)) return clean;
    // A rollout on which the batch's convention has no effect cannot be told from one that does not follow it.
    if (followed.convention !== null && expected === null) return clean;
    const rest = expected === null ? 'most of the batch follows' : 'expected is';
    const text = `${label} reproduces this rollout; ${rest} ${settingLabel(followed)}.`;
    const reference = runSetting(followed, trace, evidence.traces);
    const wanted = discountOf(followed);
    if (
      wanted !== null &&
      discount !== null &&
      followed.estimator === setting.estimator &&
      !sameDiscount(wanted, discount)
    ) {
      return { ...base, code: 'wrong-discount', when: `follows ${label}`, evidence: [text], reference };
    }
    const uncounted =
      followed.estimator === 'gae_cross' &&
      setting.estimator === 'gae_local' &&
      setting.params.reward_placement !== 'last_segment';
    if (uncounted && wanted !== null && discount !== null && sameDiscount(wanted, discount)) {
      return {
        ...base,
        code: 'siblings-missing',
        when: `follows ${label}, which counts no later segment after any segment`,
        evidence: [text],
        reference,
      };
    }
    return { ...base, code: 'other-estimator', when: `follows ${label}`, evidence: [text], reference };
  });
}

/** A rollout that follows a trainer's convention: named with the preset, and shown against what the convention leaves. */
function conventionCandidate(
  trace: Trace,
  setting: Setting,
  base: Omit<Candidate, 'code' | 'when' | 'evidence'>,
): Candidate {
  const label = settingLabel(setting);
  const name = setting.presets[0];
  const discount = discountOf(setting);
  return {
    ...base,
    code: setting.convention ?? 'clean',
    when: `follows ${name === undefined ? label : `${name} (${label})`}`,
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
