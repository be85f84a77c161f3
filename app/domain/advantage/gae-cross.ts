// CompactionRL's cross-trajectory GAE: local advantages, discounted by how much is still trained after the segment.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { lambdaCriticField, lambdaField } from './forms.ts';
import { criticAdvantages, lambdasOf, localAdvantages, readLocal } from './gae-local.ts';
import { finish, gaeScope, lambdaCriticParam, rewardFields, rewardForm } from './gae-params.ts';
import { type LambdaSpec, lambdaSpec, paperLambda } from './lambda.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { plus, spread, times } from './recursion.ts';
import { refuse } from './refusal.ts';
import { terminalSignal } from './rewards.ts';
import { passOver } from './single-pass.ts';
import type { PreparedRollout, PreparedSegment } from './tokens.ts';
import type { RolloutOutput, SegmentOutput } from './types.ts';

/** A factor below this trains a segment next to nothing; the reader is told. */
const smallFactor = 1e-3;

const factorChoices = ['own', 'product'] as const;
const returnChoices = ['local', 'corrected', 'lambda_critic'] as const;

export const crossFields = {
  ...rewardFields,
  lambda: lambdaSpec.default(paperLambda),
  factor: z.enum(factorChoices).default('own'),
  factor_lambda: lambdaSpec.nullable().default(null),
  returns: z.enum(returnChoices).default('local'),
  lambda_critic: lambdaCriticParam,
  count_untrained_summaries: z.boolean().default(false),
};
const schema = z.strictObject(crossFields).refine((p) => !(p.count_untrained_summaries && p.factor === 'product'), {
  path: ['count_untrained_summaries'],
  error: 'untrained summaries can be counted only with the factor "own", which needs no lambda of theirs',
});
export type CrossParams = z.output<typeof schema>;

interface Factors {
  readonly factor: readonly number[];
  /** Natural logarithm; it stays finite where the factor underflows. */
  readonly log: readonly number[];
  /** N_{>s}. */
  readonly after: readonly number[];
}

/**
 * `own`: F_s = (gamma*lambda_s)^{N_{>s}}. `product`: F_s = prod_{j>s} (gamma*lambda_j)^{n_j}. N_{>s} counts the
 * trainable tokens of later segments of the same rollout, with 0^0 = 1 (CompactionRL, arXiv 2607.05378, eq. 14).
 */
function crossFactors(
  gamma: number,
  lambdas: readonly number[],
  counts: readonly number[],
  kind: (typeof factorChoices)[number],
): Factors {
  const k = counts.length;
  const factor = new Array<number>(k).fill(1);
  const log = new Array<number>(k).fill(0);
  const after = new Array<number>(k).fill(0);
  let tokens = 0;
  let product = 1;
  let productLog = 0;
  for (let s = k - 1; s >= 0; s -= 1) {
    const decay = gamma * (lambdas[s] ?? 0);
    const count = counts[s] ?? 0;
    after[s] = tokens;
    factor[s] = kind === 'own' ? decay ** tokens : product;
    log[s] = kind === 'own' ? logPower(decay, tokens) : productLog;
    tokens += count;
    product *= decay ** count;
    productLog += logPower(decay, count);
  }
  return { factor, log, after };
}

function logPower(base: number, exponent: number): number {
  return exponent === 0 ? 0 : Math.log(base) * exponent;
}

/** Tokens of a segment that N_{>s} counts. An untrained summary has no mask to count, so all its logged tokens count. */
function countedTokens(segment: PreparedSegment, untrainedSummaries: boolean): number {
  const trained = segment.positions.length;
  return trained === 0 && untrainedSummaries && segment.input.kind === 'summary' ? segment.length : trained;
}

/** Refuses what looks across segments when one of them is absent. */
export function requireSiblings(rollout: PreparedRollout): void {
  if (rollout.input.siblingsMissing !== true) return;
  refuse(
    'siblings_missing',
    `A segment of rollout ${rollout.input.id} is missing, so the tokens after each segment cannot be counted. ` +
      'Segment-local GAE still can be computed.',
    [rollout.input.id],
  );
}

/** One rollout: `A_hat[s,i] = F_s * A_loc[s,i]`, with the local advantages paid the reward at every segment's end (eq. 13). */
export function crossRollout(rollout: PreparedRollout, params: CrossParams, resultsOnly = false): RolloutOutput {
  requireSiblings(rollout);
  const { gamma } = params;
  const lambdas = lambdasOf(rollout, params.lambda);
  const counts = rollout.segments.map((segment) => countedTokens(segment, params.count_untrained_summaries));
  // `product` multiplies the decay that each token has in the local pass; a separate factor lambda is for `own`.
  const decaying =
    params.factor_lambda !== null && params.factor === 'own' ? lambdasOf(rollout, params.factor_lambda) : lambdas;
  const factors = crossFactors(gamma, decaying, counts, params.factor);
  if (resultsOnly && params.kl === null && params.returns !== 'lambda_critic') {
    const quick = crossInOnePass(rollout, params, lambdas, factors);
    if (quick !== null) return quick;
  }
  const tokens = readLocal(rollout, params, 'every_segment');
  const local = localAdvantages(tokens, gamma, lambdas);
  const critic: LambdaSpec | null = params.returns === 'lambda_critic' ? (params.lambda_critic ?? 1) : null;
  const targets = criticAdvantages(rollout, tokens, gamma, critic, local);
  const segments = rollout.segments.map((segment, s) => {
    const { positions, length } = segment;
    const factor = factors.factor[s] ?? 1;
    const own = local[s] ?? new Float64Array(0);
    const corrected = factor === 1 ? own : times(own, factor);
    const target = params.returns === 'corrected' ? corrected : (targets[s] ?? own);
    const columns = {
      advantages: spread(corrected, positions, length),
      returns: spread(plus(target, tokens[s]?.values ?? new Float64Array(0)), positions, length),
      ...(resultsOnly ? {} : { local_advantages: spread(own, positions, length) }),
    };
    return segmentOutput(segment, columns, {
      factor,
      logFactor: factors.log[s] ?? 0,
      lambda: lambdas[s] ?? null,
      tokensAfter: factors.after[s] ?? 0,
    });
  });
  warnSmallFactors(rollout, factors, params);
  return rolloutOutput(rollout, segments);
}

/** The same for the usual log, several times as fast; null when a segment is not usual. */
function crossInOnePass(
  rollout: PreparedRollout,
  params: CrossParams,
  lambdas: readonly number[],
  factors: Factors,
): RolloutOutput | null {
  const signal = terminalSignal(rollout, params);
  const segments: SegmentOutput[] = [];
  for (const [s, segment] of rollout.segments.entries()) {
    const [factor, lambda] = [factors.factor[s] ?? 1, lambdas[s] ?? 0];
    const corrected = params.returns === 'corrected';
    const columns = passOver(rollout, segment, { gamma: params.gamma, lambda, signal, factor, corrected });
    if (columns === null) return null;
    const numbers = { factor, logFactor: factors.log[s] ?? 0, lambda, tokensAfter: factors.after[s] ?? 0 };
    segments.push(segmentOutput(segment, columns, numbers));
  }
  warnSmallFactors(rollout, factors, params);
  return { ...rolloutOutput(rollout, segments), finite: true };
}

function warnSmallFactors(rollout: PreparedRollout, factors: Factors, params: CrossParams): void {
  const small: number[] = [];
  let least = 0;
  for (const [s, segment] of rollout.segments.entries()) {
    if (segment.positions.length === 0 || (factors.factor[s] ?? 1) >= smallFactor) continue;
    small.push(segment.index);
    least = Math.min(least, factors.log[s] ?? 0);
  }
  if (small.length > 0) {
    const size = least === Number.NEGATIVE_INFINITY ? '0' : `10^${(least / Math.LN10).toFixed(1)}`;
    const message =
      `The factor F_s is below ${smallFactor} in segments ${small.join(', ')} (smallest ${size}): they are practically not ` +
      'trained. What the length in lambda counts decides this and is not settled by the paper.';
    rollout.warnings.push({ code: 'factor_small', message, segments: small });
    if (params.returns === 'corrected') {
      const text = `With corrected returns and so small a factor the critic's target is just its own value in segments ${small.join(', ')}.`;
      rollout.warnings.push({ code: 'returns_uncorrected', message: text, segments: small });
    }
  }
  if (params.count_untrained_summaries && rollout.segments.some((s) => countedTokens(s, true) > s.positions.length)) {
    const message =
      'Summaries without trainable tokens count with all their logged tokens, since no mask tells which were sampled.';
    rollout.warnings.push({ code: 'untrained_summaries', message });
  }
}

export const gaeCross = defineEstimator({
  id: 'gae_cross',
  version: '1',
  title: 'Cross-trajectory GAE (CompactionRL)',
  summary: 'Segment-local GAE, each segment scaled by (γλ) to the number of trainable tokens after it.',
  source: 'CompactionRL, arXiv 2607.05378, equations 13-15, through reading notes and reproductions.',
  needsValues: true,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    ...rewardForm.slice(0, 1),
    lambdaField,
    {
      name: 'factor',
      label: 'Factor',
      type: 'choice',
      choices: [...factorChoices],
      help: 'own: each segment decays with its own λ. product: every later token decays with the λ of its segment.',
    },
    {
      name: 'factor_lambda',
      label: 'λ of the factor',
      type: 'lambda',
      min: 0,
      max: 1,
      help: 'Another λ for the factor alone (one reproduction mixes lengths); empty uses the same λ.',
    },
    {
      name: 'returns',
      label: 'Return targets',
      type: 'choice',
      choices: [...returnChoices],
      help: 'local: A_loc + V. corrected: F·A_loc + V. lambda_critic: a second local pass with the critic λ, plus V.',
    },
    lambdaCriticField,
    {
      name: 'count_untrained_summaries',
      label: 'Count untrained summaries',
      type: 'boolean',
      help: 'Counts summaries whose mask is all 0 among the tokens after a segment; the paper does not say.',
    },
    ...rewardForm.slice(1),
  ],
  scopeWith: gaeScope,
  compute(params, input) {
    return finish(
      perRollout(input, (rollout) => crossRollout(rollout, params, input.resultsOnly)),
      params.whiten,
    );
  },
});
