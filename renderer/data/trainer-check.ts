// What a comparison of logged with recomputed advantages says, in the words and figures of the screens. Pure.

import type { Divergence, Fit, RolloutVerification } from '../../app/contract/index.ts';
import type { Tone } from '../ui/chip.tsx';
import { formatCount, formatNumber, formatPercent } from '../ui/format.ts';

/** The outcome as one word and its colour. */
export function outcomeOf(status: RolloutVerification['status']): { readonly word: string; readonly tone: Tone } {
  switch (status) {
    case 'clean':
      return { word: 'clean', tone: 'clean' };
    case 'found':
      return { word: 'finding', tone: 'summary' };
    case 'refused':
      return { word: 'not comparable', tone: 'summary' };
    case 'not-logged':
      return { word: 'nothing logged', tone: 'neutral' };
  }
}

/** A fit as people call it: its preset, else its estimator and parameters. */
export function fitName(fit: Fit): string {
  return fit.presets[0] ?? fit.label;
}

/** Fits that read differently, the nearest of each: discounts that were estimated can round to the same words. */
export function distinctFits(fits: readonly Fit[]): Fit[] {
  return [...Map.groupBy(fits, ({ label }) => label).values()].flatMap((same) => same.slice(0, 1));
}

/**
 * Whether the places are those where the log leaves what it was expected to follow, and not its best fit: the best fit then
 * is the log's own convention and agrees everywhere.
 */
export function partsFromExpected({ fits, divergences }: RolloutVerification): boolean {
  return divergences.length > 0 && fits[0]?.agreeing === 1;
}

/**
 * A relative difference, |logged − recomputed| / (1e-6 + |recomputed|): `none`, `8.9e-8`, `71.4 %`, `24×`. Where the
 * recomputed number is near zero it can be very large without meaning much.
 */
export function formatDifference(relative: number | null): string {
  if (relative === null || Number.isNaN(relative)) return '–';
  if (relative === 0) return 'none';
  if (relative < 1e-3) return relative.toExponential(1);
  if (relative < 10) return formatPercent(relative);
  return relative < 1e6 ? `${formatCount(relative)}×` : `${relative.toExponential(1)}×`;
}

/** A share of the compared tokens that is `all` or `none` only when it is. */
export function formatAgreeing(share: number, tokens: number): string {
  const of = `of ${formatCount(tokens)} tokens`;
  if (share >= 1) return tokens === 1 ? 'the only token' : `all ${formatCount(tokens)} tokens`;
  if (share <= 0) return `none ${of}`;
  if (share > 0.999) return `> 99.9 % ${of}`;
  return share < 0.001 ? `< 0.1 % ${of}` : `${formatPercent(share)} ${of}`;
}

/** An advantage or return beside another: four significant digits, a real minus. */
export function formatCompared(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) {
    return value.toExponential(2).replace(/^-/, '−');
  }
  return formatNumber(value, 4);
}

/**
 * Where to start looking: the differing token that is last in time. Errors of a backward recursion spread to earlier
 * tokens and, across segments, to earlier segments. Null where nothing differs.
 */
export function firstDivergence(check: RolloutVerification): Divergence | null {
  return check.divergences.at(-1) ?? null;
}

/** `segment 3, token 1,384`: segments count from 1 on screen, tokens from 0 as in the Token panel. */
export function placeName(divergence: Pick<Divergence, 'segment' | 'token'>): string {
  return `segment ${divergence.segment + 1}, token ${formatCount(divergence.token)}`;
}

/**
 * A sentence of the comparison with its segments counted from 1. The engine counts them from 0, as the command line and its
 * JSON do; on one screen both would send a person to the wrong segment.
 */
export function onScreen(sentence: string): string {
  return sentence.replaceAll(
    /\b(segments? )(\d+(?:(?:, | and )\d+)*)/giu,
    (_, word: string, numbers: string) => word + numbers.replaceAll(/\d+/gu, (index) => String(Number(index) + 1)),
  );
}
