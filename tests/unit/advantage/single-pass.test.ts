// The one-pass way for stored results gives bit for bit what the long way gives, and steps aside where it could not.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { EstimatorInput, EstimatorOutput, SegmentInput } from '../../../app/domain/advantage/types.ts';

const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38);
const token = fc.tuple(fc.boolean(), fc.float({ noNaN: true, min: -2, max: 2 }));
const segment = fc
  .record({
    tokens: fc.array(token, { maxLength: 20 }),
    rewarded: fc.boolean(),
    strange: fc.option(fc.tuple(fc.nat(19), odd), { freq: 6 }),
    byteMask: fc.boolean(),
  })
  .map(({ tokens, rewarded, strange, byteMask }): SegmentInput => {
    const values = Float32Array.from(tokens, ([, v]) => v);
    if (strange !== null && strange[0] < values.length) values[strange[0]] = strange[1];
    const mask = tokens.map(([trained]) => (trained ? 1 : 0));
    return {
      kind: 'execution',
      lossMask: byteMask ? Uint8Array.from(mask) : mask,
      values,
      rewards: rewarded ? Float32Array.from(tokens, ([, v]) => v / 4) : null,
    };
  });
const inputs = fc
  .array(
    fc.record({ segments: fc.array(segment, { maxLength: 4 }), reward: fc.float({ noNaN: true, min: -3, max: 3 }) }),
    {
      maxLength: 3,
    },
  )
  .map(
    (rollouts): EstimatorInput => ({
      nanIsMissing: true,
      rollouts: rollouts.map(({ segments, reward }, r) => ({
        id: `r${r}`,
        groupId: 'g',
        status: r === 1 ? 'truncated' : 'terminated',
        reward,
        bootstrapValue: 0.5,
        segments,
      })),
    }),
  );

const lambda = fc.constantFrom(0, 0.95, 1, { alpha: 1.5, length: 'segment_trainable' });
const choices = fc.oneof(
  fc.record({
    estimator: fc.constant('gae_cross'),
    params: fc.record({
      gamma: fc.constantFrom(1, 0.97),
      lambda,
      factor: fc.constantFrom('own', 'product'),
      returns: fc.constantFrom('local', 'corrected', 'lambda_critic'),
    }),
  }),
  fc.record({
    estimator: fc.constant('gae_local'),
    params: fc.record({
      gamma: fc.constantFrom(1, 0.97),
      lambda,
      truncation: fc.constantFrom('zero', 'bootstrap'),
      reward_placement: fc.constantFrom('every_segment', 'last_segment'),
    }),
  }),
);

/** Everything but the explaining columns that are left out on request. */
function kept(output: EstimatorOutput): unknown {
  return {
    ...output,
    rollouts: output.rollouts.map(({ finite: _, ...rollout }) => ({
      ...rollout,
      segments: rollout.segments.map(({ columns, ...rest }) => ({
        ...rest,
        advantages: columns.advantages,
        returns: columns.returns,
      })),
    })),
  };
}

describe('results only', () => {
  it('are the same numbers, warnings and refusals', () => {
    fc.assert(
      fc.property(inputs, choices, (input, { estimator, params }) => {
        const quick = runEstimator(estimator, params, { ...input, resultsOnly: true });
        expect(kept(quick)).toEqual(kept(runEstimator(estimator, params, input)));
      }),
      { numRuns: 300 },
    );
  });

  it('leave out the local advantages, which nothing stores', () => {
    const one = { kind: 'execution' as const, lossMask: Uint8Array.of(1, 0), values: Float32Array.of(0.5, 0) };
    const input = {
      nanIsMissing: true,
      rollouts: [{ id: 'r', groupId: 'g', status: 'terminated' as const, reward: 1, segments: [one] }],
    };
    const columnsOf = (resultsOnly: boolean) =>
      Object.keys(runEstimator('gae_cross', {}, { ...input, resultsOnly }).rollouts[0]?.segments[0]?.columns ?? {});
    expect(columnsOf(true)).toEqual(['advantages', 'returns']);
    expect(columnsOf(false)).toContain('local_advantages');
  });
});
