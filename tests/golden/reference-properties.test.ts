// Every estimator and its options against the slow reference over random batches: the case is drawn, the reference computes what
// is expected straight from the formulas, and the runner of golden vectors compares, as it would with anybody's file.

import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  rewardToGoReference,
  signalReference,
  type WeightMode,
  weightsReference,
  whitenReference,
} from './reference-batch.ts';
import { agrees, check } from './reference-check.ts';
import {
  allTokensReference,
  type GaeParams,
  gaeCrossReference,
  gaeLocalReference,
  gaeStitchedReference,
  gapReference,
  onTokens,
} from './reference-gae.ts';
import { type JsonSegment, trained } from './reference-rollouts.ts';

const numbers = fc.double({ min: 0, max: 1, noNaN: true });
const gammas = fc.oneof(fc.constantFrom(1, 0, 0.99), numbers);
const adaptive = fc.record({
  alpha: fc.constantFrom(1.5, 0.05, 0.4, 3),
  length: fc.constantFrom('segment_trainable' as const, 'rollout_trainable' as const, 'segment_tokens' as const),
  max: fc.constantFrom(1, 0.9, 0.999),
});
const lambdas: fc.Arbitrary<GaeParams['lambda']> = fc.oneof(fc.constantFrom(0, 1, 0.95), numbers, adaptive);
const rolloutLambdas: fc.Arbitrary<GaeParams['lambda']> = fc.oneof(
  numbers,
  adaptive.map((spec) => ({ ...spec, length: 'rollout_trainable' as const })),
);
const shaping = {
  truncation: fc.constantFrom('zero' as const, 'bootstrap' as const),
  masked_reward: fc.constantFrom('drop' as const, 'fold_prev' as const),
};
const kls = fc.record({
  kind: fc.constantFrom('k1' as const, 'k2' as const, 'k3' as const),
  beta: fc.constantFrom(0.05, 1, 0),
});

describe('the GAE family equals its sums', () => {
  it('local', () => {
    const params = fc.record(
      {
        gamma: gammas,
        lambda: lambdas,
        ...shaping,
        kl: kls,
        lambda_critic: lambdas,
        reward_placement: fc.constantFrom('every_segment' as const, 'last_segment' as const),
      },
      { requiredKeys: ['gamma', 'lambda'] },
    );
    check(params, (rollouts, drawn) => agrees('gae_local', drawn, rollouts, gaeLocalReference(rollouts, drawn)));
  });

  it('cross-trajectory', () => {
    const params = fc.record(
      {
        gamma: gammas,
        lambda: lambdas,
        ...shaping,
        kl: kls,
        factor: fc.constantFrom('own' as const, 'product' as const),
        factor_lambda: lambdas,
        returns: fc.constantFrom('local' as const, 'corrected' as const, 'lambda_critic' as const),
        lambda_critic: lambdas,
      },
      { requiredKeys: ['gamma', 'lambda'] },
    );
    check(params, (rollouts, drawn) => agrees('gae_cross', drawn, rollouts, gaeCrossReference(rollouts, drawn)));
  });

  it('stitched, and the gap to it', () => {
    const params = fc.record(
      { gamma: gammas, lambda: rolloutLambdas, ...shaping },
      { requiredKeys: ['gamma', 'lambda'] },
    );
    check(params, (rollouts, drawn) => {
      agrees('gae_stitched', drawn, rollouts, gaeStitchedReference(rollouts, drawn));
      // A sign that hangs on rounding is no error: flips are compared where cross and stitched are far from zero.
      const { sign_flips: _, ...gap } = gapReference(rollouts, drawn);
      agrees('approx_gap', drawn, rollouts, gap);
    });
  });

  it('over all tokens', () => {
    const params = fc.record({
      gamma: gammas,
      lambda: numbers,
      truncation: shaping.truncation,
      terminal_at: fc.constantFrom('last_token' as const, 'last_trainable' as const),
      zero_masked: fc.boolean(),
    });
    check(params, (rollouts, drawn) => agrees('gae_all_tokens', drawn, rollouts, allTokensReference(rollouts, drawn)));
  });

  it('REINFORCE++ returns', () => {
    const params = fc.record(
      { gamma: gammas, ...shaping, kl: kls, scope: fc.constantFrom('rollout' as const, 'segment' as const) },
      { requiredKeys: ['gamma', 'scope'] },
    );
    check(params, (rollouts, drawn) => {
      const returns = rewardToGoReference(rollouts, { lambda: 0, ...drawn });
      agrees('reinforce_pp', drawn, rollouts, { returns, advantages: returns });
    });
  });
});

const modes = fc.constantFrom<WeightMode>(
  'token_mean',
  'segment_mean',
  'segment_sum_mean',
  'rollout_mean',
  'constant_length',
);

describe('weights and whitening equal the loss and the statistics they stand for', () => {
  it('token weights and the share of the signal', () => {
    const params = fc.record({ mode: modes, length: fc.constantFrom(1, 64) });
    check(params, (rollouts, { mode, length }) => {
      const weights = weightsReference(rollouts, mode, length);
      agrees('token_weights', { mode, length }, rollouts, weights);
      const gae = { gamma: 0.9, lambda: 0.8 };
      const advantages = gaeCrossReference(rollouts, gae).advantages;
      agrees(
        'signal_share',
        { weights: { mode, length }, advantage: { estimator: 'gae_cross', params: gae } },
        rollouts,
        signalReference(weights.token_weights, advantages),
      );
    });
  });

  it('token weights after a rejection, by all tokens and by the accepted ones', () => {
    const ratio = (segment: JsonSegment, t: number, a: 'policy' | 'train_old', b: 'rollout' | 'infer_old'): number =>
      Math.exp((segment[`logprobs_${a}`]?.[t] ?? 0) - (segment[`logprobs_${b}`]?.[t] ?? 0));
    const rejections = [
      {
        rejection: { rule: 'dis', eps_low: 0.5, eps_high: 1 },
        stays: (segment: JsonSegment, t: number) => Math.abs(ratio(segment, t, 'policy', 'rollout') - 1.25) < 0.75,
      },
      {
        rejection: { rule: 'icepop', beta: 2 },
        stays: (segment: JsonSegment, t: number) =>
          Math.abs(Math.log2(ratio(segment, t, 'train_old', 'infer_old'))) <= 1,
      },
    ];
    const drawn = fc.record({
      mode: modes,
      which: fc.constantFrom(...rejections),
      denominator: fc.constantFrom('mask' as const, 'accepted' as const),
    });
    check(drawn, (rollouts, { mode, which: { rejection, stays }, denominator }) => {
      const left = rollouts.some((one) =>
        one.segments.some((segment) => trained(segment).some((t) => stays(segment, t))),
      );
      const wanted =
        denominator === 'accepted' && !left
          ? { error: 'no_trainable_tokens' }
          : weightsReference(rollouts, mode, 8, { stays, denominator });
      agrees('token_weights', { mode, length: 8, rejection, denominator }, rollouts, wanted);
    });
  });

  it('whitening', () => {
    const params = fc.record(
      {
        ddof: fc.constantFrom(0, 1),
        eps: fc.constantFrom(1e-8, 0.01),
        eps_mode: fc.constantFrom('add' as const, 'clamp' as const),
        shift_mean: fc.boolean(),
      },
      { requiredKeys: ['ddof', 'eps', 'eps_mode'] },
    );
    check(params, (rollouts, drawn) => {
      const whitened = whitenReference(rollouts, (r, s, t) => rollouts[r]?.segments[s]?.advantages?.[t] ?? 0, drawn);
      agrees('whiten', drawn, rollouts, { whitened });
    });
  });
});

type Token = (
  at: (name: 'policy' | 'rollout' | 'train_old' | 'infer_old' | 'old' | 'ref' | 'teacher') => number,
  advantage: number,
) => Record<string, number>;

const clip = (x: number, low: number, high: number) => Math.max(low, Math.min(x, high));
/** PPO's surrogate and the slope of it that is not held by the clip. */
function surrogate(r: number, a: number, low: number, high: number, dual: number | null): [number, number] {
  const objective = Math.min(r * a, clip(r, low, high) * a);
  const held = (a > 0 && r > high) || (a < 0 && r < low);
  if (dual !== null && a < 0 && r > dual) return [Math.max(objective, dual * a), 0];
  return [objective, held ? 0 : r * a];
}

const perToken: readonly (readonly [estimator: string, params: object, token: Token])[] = [
  ['kl', { kind: 'k2' }, (at) => ({ kl: (at('policy') - at('ref')) ** 2 / 2 })],
  [
    'kl',
    { kind: 'k3', clamp: [0, 0.2] },
    (at) => ({ kl: clip(Math.exp(at('ref') - at('policy')) - 1 + at('policy') - at('ref'), 0, 0.2) }),
  ],
  ['opd', { coef: 0.3, add_to: 'advantages' }, (at, a) => ({ advantages: a + 0.3 * (at('teacher') - at('policy')) })],
  ['opd', { coef: -1 }, (at) => ({ advantages: at('policy') - at('teacher') })],
  ['tis', { low: 0.5, high: 1.5 }, (at) => ({ weight: clip(Math.exp(at('train_old') - at('infer_old')), 0.5, 1.5) })],
  [
    'dis',
    { eps_low: 0.3, eps_high: 0.5 },
    (at, a) => {
      const ratio = Math.exp(at('policy') - at('rollout'));
      const weight = ratio > 0.7 && ratio < 1.5 ? ratio : 0;
      return {
        ratio,
        weight,
        keep: weight === 0 ? 0 : 1,
        grad_coeff_stopgrad: weight * a,
        grad_coeff_literal: weight * a * (1 + at('policy')),
      };
    },
  ],
  [
    'icepop_ppo',
    { beta: 1.5, eps_low: 0.2, eps_high: 0.28 },
    (at, a) => {
      const mismatch = Math.exp(at('train_old') - at('infer_old'));
      const pop = mismatch >= 1 / 1.5 && mismatch <= 1.5 ? mismatch : 0;
      const ratio = Math.exp(at('policy') - at('train_old'));
      const [objective, slope] = surrogate(ratio, a, 0.8, 1.28, null);
      return { mismatch, pop, ratio, objective: pop * objective, grad_coeff: pop * slope };
    },
  ],
  [
    'ppo_clip',
    { eps_low: 0.1, eps_high: 0.2, dual_clip: 1.4 },
    (at, a) => {
      const ratio = Math.exp(at('policy') - at('old'));
      const [objective, slope] = surrogate(ratio, a, 0.9, 1.2, 1.4);
      return { ratio, objective, grad_coeff: slope };
    },
  ],
  [
    'cispo',
    { eps_low: 0.2, eps_high: 0.28 },
    (at, a) => {
      const ratio = Math.exp(at('policy') - at('old'));
      return { ratio, weight: clip(ratio, 0.8, 1.28), grad_coeff: clip(ratio, 0.8, 1.28) * a };
    },
  ],
];

describe('per-token terms equal their formulas', () => {
  it.each(perToken)('%s %j', (estimator, params, token) => {
    check(fc.constant(params), (rollouts) => {
      const of = (segment: JsonSegment): Record<string, number>[] =>
        trained(segment).map((t) =>
          token((name) => segment[`logprobs_${name}`]?.[t] ?? 0, segment.advantages?.[t] ?? 0),
        );
      const names = Object.keys(token(() => 0, 0));
      const wanted = Object.fromEntries(
        names.map((name) => [
          name,
          rollouts.map((one) =>
            one.segments.map((segment) =>
              onTokens(
                segment,
                of(segment).map((row) => row[name] ?? 0),
              ),
            ),
          ),
        ]),
      );
      agrees(estimator, params, rollouts, wanted);
    });
  });

  it('the mask without incorrect actions', () => {
    check(fc.record({ from: fc.nat(6), length: fc.nat(5) }), (rollouts, { from, length }) => {
      const marked = rollouts.map((one) => ({
        ...one,
        segments: one.segments.map(
          (segment): JsonSegment => ({ ...segment, incorrect_spans: [[from, from + length]] }),
        ),
      }));
      const loss_mask = rollouts.map((one) =>
        one.segments.map((segment) =>
          segment.loss_mask.map((m, t) => (m === 1 && !(t >= from && t < from + length) ? 1 : 0)),
        ),
      );
      agrees('mask_incorrect', {}, marked, { loss_mask });
    });
  });
});
