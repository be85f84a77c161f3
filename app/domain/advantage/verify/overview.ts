// A dump as a whole: one verdict, the diagnoses by how often they were made, and the settings by how much of the log they give.

import type { DiagnosisCount, DumpVerification, FitCount, VerifiedRow } from '../../../contract/verification.ts';
import type { DiagnosisCode, Fit, RolloutVerification } from '../../../contract/verify.ts';
import { likelihood, titles } from './words.ts';

/** What the workspace knows of a rollout besides the comparison. */
export interface VerifiedName {
  readonly externalId: string;
  readonly group: string | null;
  readonly trainingStep: number | null;
}

const mostFits = 12;
/** Outcomes that are no reason why a log differs. */
const outcomes: readonly DiagnosisCode[] = ['clean', 'unexplained', 'not-logged', 'refused'];

/** Sums up the comparison of a dump (in the order in which it was compared). */
export function overviewOf(
  rollouts: readonly RolloutVerification[],
  names: ReadonlyMap<string, VerifiedName>,
  expect: string | null,
): DumpVerification {
  const count = (status: RolloutVerification['status']): number =>
    rollouts.filter((one) => one.status === status).length;
  const counts = {
    clean: count('clean'),
    found: count('found'),
    refused: count('refused'),
    notLogged: count('not-logged'),
  };
  const diagnoses = diagnosisCounts(rollouts);
  const fits = fitCounts(rollouts, expect);
  const verdict = verdictOf(counts);
  const seen = new Set(diagnoses.map(({ code }) => code));
  const compared = rollouts.filter(({ status }) => status === 'clean' || status === 'found');
  return {
    verdict,
    sentence: sentenceOf(verdict, counts, diagnoses, followed(compared, fits, expect)),
    ...counts,
    tokens: compared.reduce((sum, one) => sum + one.tokens, 0),
    critics: [...new Set(compared.map(({ critic }) => critic))],
    expect,
    diagnoses,
    excluded:
      compared.length === 0
        ? []
        : likelihood
            .filter((code) => !outcomes.includes(code) && !seen.has(code))
            .map((code) => ({ code, title: titles[code] })),
    fits: fits.slice(0, mostFits),
    rows: rollouts.map((one) => rowOf(one, names.get(one.id))),
  };
}

interface Counts {
  readonly clean: number;
  readonly found: number;
  readonly refused: number;
  readonly notLogged: number;
}

function verdictOf({ clean, found, refused }: Counts): DumpVerification['verdict'] {
  if (found > 0) return 'differs';
  if (clean === 0) return refused > 0 ? 'refused' : 'silent';
  return refused > 0 ? 'partly' : 'clean';
}

/** What a clean dump follows: the expected preset, or the setting that reproduces all of it; null where several share it. */
function followed(
  compared: readonly RolloutVerification[],
  fits: readonly FitCount[],
  expect: string | null,
): string | null {
  if (expect !== null) return expect;
  const whole = fits.find(({ reproduces }) => reproduces === compared.length);
  return whole === undefined ? null : (whole.presets[0] ?? whole.label);
}

function sentenceOf(
  verdict: DumpVerification['verdict'],
  counts: Counts,
  diagnoses: readonly DiagnosisCount[],
  follows: string | null,
): string {
  const { clean, found, refused, notLogged } = counts;
  const compared = clean + found;
  const silent = notLogged === 0 ? '' : ` ${rolloutsOf(notLogged)} without logged advantages.`;
  const incomparable = refused === 0 ? '' : ` ${rolloutsOf(refused)} could not be compared.`;
  switch (verdict) {
    case 'clean':
    case 'partly':
      return `${grouped(clean)} of ${rolloutsOf(compared)} ${clean === 1 ? 'matches' : 'match'} ${follows ?? 'a published estimator'}.${incomparable}${silent}`;
    case 'differs': {
      const [first] = diagnoses;
      const most =
        first === undefined
          ? ''
          : first.rollouts === found
            ? `: ${first.title}`
            : `, most often (${grouped(first.rollouts)}) ${first.title}`;
      return `${grouped(found)} of ${rolloutsOf(compared)} ${found === 1 ? 'differs' : 'differ'}${most}.${incomparable}${silent}`;
    }
    case 'refused':
      return `None of ${rolloutsOf(refused)} could be compared.${silent}`;
    case 'silent':
      return notLogged === 0 ? 'No rollouts.' : `None of ${rolloutsOf(notLogged)} has logged advantages or returns.`;
  }
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

function rolloutsOf(value: number): string {
  return `${grouped(value)} ${value === 1 ? 'rollout' : 'rollouts'}`;
}

function diagnosisCounts(rollouts: readonly RolloutVerification[]): DiagnosisCount[] {
  const alternatives = new Map<DiagnosisCode, number>();
  for (const { alternatives: others } of rollouts) {
    for (const code of new Set(others.map((one) => one.code))) {
      alternatives.set(code, (alternatives.get(code) ?? 0) + 1);
    }
  }
  const counts = [...Map.groupBy(rollouts, ({ diagnosis }) => diagnosis.code)].map(([code, same]): DiagnosisCount => {
    const surest = same.toSorted((a, b) => b.diagnosis.confidence - a.diagnosis.confidence)[0];
    return {
      code,
      title: titles[code],
      rollouts: same.length,
      alternative: alternatives.get(code) ?? 0,
      confidence: same.reduce((sum, { diagnosis }) => sum + diagnosis.confidence, 0) / same.length,
      sentence: surest?.diagnosis.sentence ?? '',
    };
  });
  return counts.toSorted(
    (a, b) =>
      rank(a.code) - rank(b.code) || b.rollouts - a.rollouts || likelihood.indexOf(a.code) - likelihood.indexOf(b.code),
  );
}

/** Findings, then what could not be compared, then what is as it should be. */
function rank(code: DiagnosisCode): number {
  const order: readonly DiagnosisCode[] = ['refused', 'not-logged', 'clean'];
  return order.indexOf(code) + 1;
}

/** The one that reproduces most first; among equals the expected one, then those with a name. */
function fitCounts(rollouts: readonly RolloutVerification[], expect: string | null): FitCount[] {
  const all = new Map<
    string,
    { fit: Fit; near: number; reproduces: number; agreeing: number; tokens: number; worst: number | null }
  >();
  for (const { fits, tokens } of rollouts) {
    // Of fits that read the same in one rollout the nearest counts: estimated discounts can round to the same words.
    for (const [key, fit] of new Map(fits.toReversed().map((one) => [keyOf(one), one]))) {
      const before = all.get(key);
      all.set(key, {
        fit: before?.fit ?? fit,
        near: (before?.near ?? 0) + 1,
        reproduces: (before?.reproduces ?? 0) + (fit.agreeing === 1 ? 1 : 0),
        agreeing: (before?.agreeing ?? 0) + fit.agreeing * tokens,
        tokens: (before?.tokens ?? 0) + tokens,
        worst: larger(before?.worst ?? null, fit.max),
      });
    }
  }
  return [...all.values()]
    .map(
      ({ fit, near, reproduces, agreeing, tokens, worst }): FitCount => ({
        label: fit.label,
        presets: fit.presets,
        reproduces,
        near,
        agreeing: tokens === 0 ? 0 : agreeing / tokens,
        worst,
      }),
    )
    .toSorted(
      (a, b) =>
        b.reproduces - a.reproduces || fame(b, expect) - fame(a, expect) || b.near * b.agreeing - a.near * a.agreeing,
    );
}

function fame({ presets }: FitCount, expect: string | null): number {
  if (expect !== null && presets.includes(expect)) return 2;
  return presets.length > 0 ? 1 : 0;
}

function keyOf({ label, presets }: Fit): string {
  return JSON.stringify([label, presets]);
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

function rowOf(one: RolloutVerification, name: VerifiedName | undefined): VerifiedRow {
  const [fit] = one.fits;
  const place = one.divergences.at(-1);
  return {
    id: one.id,
    externalId: name?.externalId ?? null,
    group: name?.group ?? null,
    trainingStep: name?.trainingStep ?? null,
    status: one.status,
    tokens: one.tokens,
    code: one.diagnosis.code,
    title: one.diagnosis.title,
    confidence: one.diagnosis.confidence,
    fit: fit === undefined ? null : { label: fit.label, presets: fit.presets, agreeing: fit.agreeing, worst: fit.max },
    place: place === undefined ? null : { segment: place.segment, token: place.token },
  };
}
