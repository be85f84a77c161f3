// On-policy distillation: the teacher's log-probability over the student's is the advantage of a token.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { spread } from './recursion.ts';
import { readAdvantages, readLogprobs } from './tokens.ts';

const schema = z.strictObject({
  coef: z.number().default(1),
  add_to: z.enum(['none', 'advantages']).nullable().default('none'),
});

export const opd = defineEstimator({
  id: 'opd',
  version: '1',
  title: 'On-policy distillation',
  summary: 'A_t = coef × (log-prob of the teacher − log-prob of the policy), alone or added to the given advantages.',
  source: 'On-policy distillation as in GLM-5 and slime (--opd-kl-coef); no gradient flows through the difference.',
  needsValues: false,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    { name: 'coef', label: 'Coefficient', type: 'number', help: 'Scale of the difference.' },
    {
      name: 'add_to',
      label: 'Add to',
      type: 'choice',
      choices: ['none', 'advantages'],
      help: 'advantages: the difference is added to the advantages that came with the rollout.',
    },
  ],
  compute: (params, input) => ({
    rollouts: perRollout(input, (rollout) => {
      const segments = rollout.segments.map((segment) => {
        const { positions, length } = segment;
        if (positions.length === 0) return segmentOutput(segment, { advantages: new Float64Array(length) });
        const base =
          params.add_to === 'advantages' ? readAdvantages(rollout, segment) : new Float64Array(positions.length);
        const teacher = readLogprobs(rollout, segment, 'teacher');
        const policy = readLogprobs(rollout, segment, 'policy');
        for (let i = 0; i < base.length; i += 1) {
          base[i] = (base[i] ?? 0) + params.coef * ((teacher[i] ?? 0) - (policy[i] ?? 0));
        }
        return segmentOutput(segment, { advantages: spread(base, positions, length) });
      });
      return rolloutOutput(rollout, segments);
    }),
  }),
});
