// Form fields that several estimators share: what each parameter does, in one sentence.

import type { FormField } from './define.ts';
import { maskedRewardChoices, truncationChoices } from './rewards.ts';
import { whitenChoices } from './whitening.ts';

export const gammaField: FormField = {
  name: 'gamma',
  label: 'Discount γ',
  type: 'number',
  min: 0,
  max: 1,
  help: 'Discount per trainable token.',
};

export const lambdaField: FormField = {
  name: 'lambda',
  label: 'λ',
  type: 'lambda',
  min: 0,
  max: 1,
  help: 'A number, or 1 - 1/(α·l) with l the trainable tokens of the segment or rollout, or the raw tokens of the segment.',
};

export const lambdaCriticField: FormField = {
  name: 'lambda_critic',
  label: 'Critic λ',
  type: 'lambda',
  min: 0,
  max: 1,
  help: 'A second λ for the return targets of the critic; empty uses the λ of the policy.',
};

export const truncationField: FormField = {
  name: 'truncation',
  label: 'Truncated rollouts',
  type: 'choice',
  choices: [...truncationChoices],
  help: 'zero: the observed reward ends the rollout. bootstrap: the discounted value of the last state is added.',
};

export const maskedRewardField: FormField = {
  name: 'masked_reward',
  label: 'Rewards on masked tokens',
  type: 'choice',
  choices: [...maskedRewardChoices],
  help: 'drop: ignored, as most trainers do. fold_prev: added to the action before, as the decision process has it.',
};

export const klField: FormField = {
  name: 'kl',
  label: 'KL shaping',
  type: 'choice',
  choices: ['none', 'k1', 'k2', 'k3'],
  help: 'Subtracts β times a KL term from every token reward; a kind alone uses β 0.05, {"kind", "beta", "clamp"} sets all.',
};

export const whitenField: FormField = {
  name: 'whiten',
  label: 'Whitening',
  type: 'choice',
  choices: [...whitenChoices],
  help: 'Last step over the trainable tokens of the batch. verl: ddof 1, ε added. openrlhf: ddof 0, variance at least ε.',
};
