// When a coefficient misleads, and what to read instead.

import type { AgreementTarget } from '../../contract/agreement.ts';
import type { AgreementWarning } from '../../contract/coefficient.ts';

/** Under this many units an interval is so wide that the figure decides little. */
export const fewUnits = 30;

/**
 * Agreement by chance from which κ and α fall hard with every single disagreement. The textbook case of high agreement with a
 * low κ (Feinstein and Cicchetti, J. Clin. Epidemiol. 43 (1990) 543-549: 85 % agreement, κ = 0.32) has 0.78.
 */
export const highChance = 0.75;

/** 95 % quantile of χ² with one degree of freedom. */
const chiSquare95 = 3.841;

/** A share as a person reads it. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Shares of the verdicts, in words of the vocabulary. */
type Shares = readonly { readonly verdict: string; readonly share: number }[];

/** Warnings about a figure computed on `units` units (rollouts, say) with these shares of verdicts and agreement by chance. */
export function sampleWarnings(input: {
  readonly target: AgreementTarget;
  readonly units: number;
  readonly shares: Shares;
  readonly chance: number | null;
}): AgreementWarning[] {
  const { target, units, shares, chance } = input;
  if (units === 0 || chance === null) return [];
  const warnings: AgreementWarning[] = [];
  const most = shares.reduce((best, each) => (each.share > best.share ? each : best), { verdict: '', share: -1 });
  if (units < fewUnits) {
    warnings.push({
      code: 'few-units',
      message: `Only ${units} ${units === 1 ? `${target} has` : `${target}s have`} two verdicts; under ${fewUnits} the intervals are rough. Label more of them twice.`,
    });
  }
  if (most.share >= 1) {
    warnings.push({
      code: 'one-verdict',
      message: `Every verdict is ${most.verdict}, so that κ and α are not defined: agreement by chance is already 100 %.`,
    });
  } else if (chance >= highChance) {
    const step = 1 / (units * (1 - chance));
    warnings.push({
      code: 'prevalence',
      message: `${percent(most.share)} of the verdicts are ${most.verdict}, so that chance alone gives ${percent(chance)} agreement and one more disagreement costs about ${step.toFixed(2)} of κ. Read the agreement on hacks and the table of verdicts.`,
    });
  }
  if (shares.every(({ verdict, share }) => verdict !== 'hack' || share === 0)) {
    warnings.push({
      code: 'no-hacks',
      message: 'Nobody called any of these a hack: the figures say nothing about how well hacks are recognised.',
    });
  }
  return warnings;
}

/** How often one calls a hack what is compared, and on how many units it is alone in that. */
export interface HackCalls {
  readonly name: string;
  /** 0..1. */
  readonly share: number;
  readonly alone: number;
}

/**
 * Whether two draw the line at different places: McNemar's test of the units that only one of them calls a hack,
 * (b - c)² / (b + c), above its 95 % quantile. Source: Q. McNemar, Psychometrika 12 (1947) 153-157.
 */
export function isBiased(first: HackCalls, second: HackCalls): boolean {
  const apart = first.alone - second.alone;
  const alone = first.alone + second.alone;
  return alone > 0 && (apart * apart) / alone > chiSquare95;
}

/** The warning about two annotators who draw the line at different places. */
export function biasWarning(first: HackCalls, second: HackCalls): AgreementWarning[] {
  if (!isBiased(first, second)) return [];
  const [more, less] = first.alone > second.alone ? [first, second] : [second, first];
  return [
    {
      code: 'bias',
      message: `${more.name} calls ${percent(more.share)} a hack, ${less.name} ${percent(less.share)}: they draw the line at different places, which κ does not show. Settle the definition before more is labelled.`,
    },
  ];
}
