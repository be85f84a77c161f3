// The KL term of each trainable token against the reference policy.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { clampRange, klKinds, klTerm } from './kl-terms.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { spread } from './recursion.ts';
import { readLogprobs } from './tokens.ts';

export const klEstimator = defineEstimator({
  id: 'kl',
  version: '1',
  title: 'KL to the reference',
  summary: 'An estimate of the KL divergence to the reference policy at each trainable token.',
  source: 'Schulman, "Approximating KL divergence": k1, k2, k3.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'kl',
  schema: z.strictObject({ kind: z.enum(klKinds).default('k3'), clamp: clampRange }),
  form: [
    {
      name: 'kind',
      label: 'Estimator',
      type: 'choice',
      choices: [...klKinds],
      help: 'With d = log-prob of the policy - of the reference: k1 = d, k2 = d²/2, k3 = exp(-d) - 1 + d.',
    },
  ],
  compute: (params, input) => ({
    rollouts: perRollout(input, (rollout) => {
      const segments = rollout.segments.map((segment) => {
        const { positions, length } = segment;
        if (positions.length === 0) return segmentOutput(segment, { kl: new Float64Array(length) });
        const policy = readLogprobs(rollout, segment, 'policy');
        const reference = readLogprobs(rollout, segment, 'ref');
        for (let i = 0; i < policy.length; i += 1) {
          policy[i] = klTerm((policy[i] ?? 0) - (reference[i] ?? 0), params.kind, params.clamp);
        }
        return segmentOutput(segment, { kl: spread(policy, positions, length) });
      });
      return rolloutOutput(rollout, segments);
    }),
  }),
});
