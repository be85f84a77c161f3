// Whitening as an estimator: the advantages that came with the batch, brought to mean 0 and variance 1.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { spread } from './recursion.ts';
import { readAdvantages } from './tokens.ts';
import { whitenFields, whitenRollouts } from './whitening.ts';

export const whiten = defineEstimator({
  id: 'whiten',
  version: '1',
  title: 'Whitening',
  summary: 'The given advantages with mean 0 and variance 1 over the trainable tokens of the batch.',
  source: 'verl and slime (ddof 1, ε added), OpenRLHF (ddof 0, variance at least ε); ADVANTAGES.md section 7.',
  needsValues: false,
  scope: 'batch',
  output: 'advantages',
  column: 'advantages',
  schema: z.strictObject(whitenFields),
  form: [
    { name: 'ddof', label: 'ddof', type: 'number', min: 0, max: 1, help: '1 divides the variance by n - 1, 0 by n.' },
    { name: 'eps', label: 'ε', type: 'number', min: 0, help: 'Guards the division.' },
    {
      name: 'eps_mode',
      label: 'ε is',
      type: 'choice',
      choices: ['add', 'clamp'],
      help: 'add: sqrt(var + ε). clamp: sqrt(max(var, ε)).',
    },
    { name: 'shift_mean', label: 'Remove the mean', type: 'boolean', help: 'Off: the mean is added back.' },
  ],
  compute(params, input) {
    const rollouts = perRollout(input, (rollout) => {
      const segments = rollout.segments.map((segment) => {
        const { positions, length } = segment;
        const given = positions.length === 0 ? new Float64Array(0) : readAdvantages(rollout, segment);
        return segmentOutput(segment, { advantages: spread(given, positions, length) });
      });
      return rolloutOutput(rollout, segments);
    });
    return { rollouts: whitenRollouts(rollouts, params, 'advantages', 'unwhitened') };
  },
});
