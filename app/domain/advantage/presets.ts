// Published and trainer-specific settings by name, each saying what its source settles and what is our choice.

import type { PresetInfo } from '../../contract/estimator.ts';

const adaptive = (alpha: number, length: string) => ({ mode: 'length_adaptive', alpha, length, max: 1 });

const described: readonly Omit<PresetInfo, 'note'>[] = [
  {
    name: 'compactionrl-paper',
    title: 'CompactionRL (paper)',
    estimator: 'gae_cross',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), factor: 'own', returns: 'local' },
    sources: [
      'CompactionRL, arXiv 2607.05378, equations 11-15 and section 5.1, through reading notes',
      'three public reproductions',
    ],
    settled:
      'γ 1, α 1.5, every segment paid the full reward, the factor over optimised tokens of later segments, token-mean loss, no KL.',
    chosen: "Value 0 after each segment's end, as the reproductions do.",
    unsettled:
      'What the length in λ counts, own or product factor, return targets; here as the reproductions read them. With segment lengths a short summary before much text is hardly trained.',
  },
  {
    name: 'compactionrl-rollout-length',
    title: 'CompactionRL (one λ per rollout)',
    estimator: 'gae_cross',
    params: { gamma: 1, lambda: adaptive(1.5, 'rollout_trainable'), factor: 'own', returns: 'local' },
    sources: ['CompactionRL, arXiv 2607.05378, equation 15 read literally'],
    settled: 'γ 1, α 1.5, token-mean loss, no KL.',
    chosen: "Value 0 after each segment's end.",
    unsettled:
      'The other reading: the length in λ counts the whole rollout, the only one under which equation 15 holds literally; no factor is below exp(-1/α) by much.',
  },
  {
    name: 'compactionrl-naive',
    title: 'CompactionRL (naive variant)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), reward_placement: 'every_segment' },
    sources: ['CompactionRL, arXiv 2607.05378, the baseline of its ablation'],
    settled:
      'Every segment is its own episode with the full reward. It is also what a trainer computes that flattens the segments of a compacted rollout.',
    chosen: '',
    unsettled: 'What the length in λ counts.',
  },
  {
    name: 'compactionrl-stitched',
    title: 'CompactionRL (exact reference)',
    estimator: 'gae_stitched',
    params: { gamma: 1, lambda: adaptive(1.5, 'rollout_trainable') },
    sources: ['no paper: the quantity that the factor approximates'],
    settled: '',
    chosen: 'The whole estimator: one sequence through all segments, with one λ per rollout.',
    unsettled: '',
  },
  {
    name: 'sao-math',
    title: 'SAO (maths, tool use)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), lambda_critic: 1 },
    sources: ['SAO, arXiv 2607.07508, through a reading note'],
    settled: 'Observations are skipped, α 1.5, critic λ 1, rejection interval (0.3, 5.0), see "sao-math-dis".',
    chosen: 'γ 1 (no value found), and that the length counts trainable tokens, not the raw response.',
    unsettled: '',
  },
  {
    name: 'sao-coding',
    title: 'SAO (coding)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), lambda_critic: 1 },
    sources: ['SAO, arXiv 2607.07508, through a reading note'],
    settled:
      'The same advantages as "sao-math"; only the rejection interval differs, (0.8, 3.0), see "sao-coding-dis".',
    chosen: 'γ 1 and the length, as in "sao-math".',
    unsettled: '',
  },
  {
    name: 'sao-math-dis',
    title: 'SAO rejection (maths, tool use)',
    estimator: 'dis',
    params: { eps_low: 0.3, eps_high: 5 },
    sources: ['SAO, arXiv 2607.07508, section 4.3'],
    settled: 'The interval (0.7, 6.0), open as printed.',
    chosen: 'The gradient of the weight is stopped: differentiated literally it would change sign for rare tokens.',
    unsettled: '',
  },
  {
    name: 'sao-coding-dis',
    title: 'SAO rejection (coding)',
    estimator: 'dis',
    params: { eps_low: 0.8, eps_high: 3 },
    sources: ['SAO, arXiv 2607.07508, section 4.3'],
    settled: 'The interval (0.2, 4.0), open as printed.',
    chosen: 'The gradient of the weight is stopped, as in "sao-math-dis".',
    unsettled: '',
  },
  {
    name: 'glm5-reasoning',
    title: 'GLM-5 reasoning',
    estimator: 'group',
    params: { kind: 'grpo', ddof: 1, eps: 1e-6 },
    sources: ['GLM-5, arXiv 2602.15763, through notes that quote its equations'],
    settled:
      'Group-normalised rewards, IcePop β 2, clip 0.2 / 0.28, no KL, mean per sequence (segment_mean weights); see "glm5-icepop".',
    chosen: 'ddof 1 and ε 1e-6, as in most trainers.',
    unsettled: '',
  },
  {
    name: 'glm5-icepop',
    title: 'GLM-5 IcePop',
    estimator: 'icepop_ppo',
    params: { beta: 2, eps_low: 0.2, eps_high: 0.28 },
    sources: ['GLM-5, arXiv 2602.15763, through notes that quote its equations'],
    settled: 'β 2 with closed ends, clip 0.2 / 0.28, no KL, no gradient through the mismatch.',
    chosen: '',
    unsettled: '',
  },
  {
    name: 'glm45-agentic',
    title: 'GLM-4.5 agentic',
    estimator: 'group',
    params: { kind: 'center' },
    sources: ['GLM-4.5 report'],
    settled: 'Rewards minus the group mean.',
    chosen: 'The usual score function: the printed objective lacks it and would be 0.',
    unsettled: '',
  },
  {
    name: 'vapo',
    title: 'VAPO',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(0.05, 'segment_trainable'), lambda_critic: 1 },
    sources: ['VAPO, as quoted by SAO and NeMo RL'],
    settled: 'Length-adaptive λ for the policy, λ 1 for the critic, token-mean loss.',
    chosen:
      'α 0.05 and clip 0.2 / 0.28 are from memory and were not checked. Under 20 tokens the formula is negative and λ is 0.',
    unsettled: '',
  },
  {
    name: 'webrl',
    title: 'WebRL',
    estimator: 'gae_local',
    params: { gamma: 0.9, lambda: 0.5 },
    sources: ['WebRL'],
    settled: 'γ 0.9, λ 0.5.',
    chosen: '',
    unsettled: '',
  },
  {
    name: 'vc-ppo',
    title: 'VC-PPO (decoupled λ)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95, lambda_critic: 1 },
    sources: ['VC-PPO, from memory'],
    settled: 'A λ of its own for the critic, 1.',
    chosen: 'λ 0.95 for the policy is from memory and was not checked.',
    unsettled: '',
  },
  {
    name: 'slime-ppo@624b824',
    title: 'slime PPO',
    estimator: 'gae_all_tokens',
    params: { gamma: 1, lambda: 0.95, terminal_at: 'last_token' },
    sources: ['THUDM/slime, slime/utils/ppo_utils.py at 624b824'],
    settled: 'Observations are transitions; the reward is on the very last token.',
    chosen: 'γ and λ are options of the trainer; here are common values.',
    unsettled: '',
  },
  {
    name: 'openrlhf-gae',
    title: 'OpenRLHF GAE',
    estimator: 'gae_all_tokens',
    params: { gamma: 1, lambda: 0.95, zero_masked: true, terminal_at: 'last_trainable', whiten: 'openrlhf' },
    sources: ['OpenRLHF, openrlhf/trainer/ppo_utils/experience_maker.py at 3c3be62'],
    settled:
      'Observations are transitions of value 0, the reward is on the last trained token, whitening with ddof 0 and the variance at least ε.',
    chosen: 'γ and λ are options of the trainer; here are common values.',
    unsettled: '',
  },
  {
    name: 'verl-gae',
    title: 'verl GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95, whiten: 'verl' },
    sources: ['verl, verl/trainer/ppo/core_algos.py at b178a3c'],
    settled: 'Observations are skipped, always whitened (ddof 1, ε added).',
    chosen: 'γ and λ are options of the trainer; here are common values.',
    unsettled: '',
  },
  {
    name: 'nemo-gae',
    title: 'NeMo RL GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95 },
    sources: ['NVIDIA-NeMo/RL, nemo_rl/algorithms/advantage_estimator.py at 7ea279a'],
    settled: 'Observations are skipped; whitening is an option.',
    chosen: 'γ and λ are options of the trainer; here are common values.',
    unsettled: '',
  },
  {
    name: 'miles-gae',
    title: 'miles GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95 },
    sources: ['radixark/miles, loss_hub/math_utils.py at 31f1ca9'],
    settled: 'Observations are skipped; whitening is an option.',
    chosen: 'γ and λ are options of the trainer; here are common values.',
    unsettled: '',
  },
];

/** Settled, chosen and unsettled as one text, for where there is one line. */
function noteOf({ settled, chosen, unsettled }: Omit<PresetInfo, 'note'>): string {
  const parts = [
    ['Settled', settled],
    ['Our choice', chosen],
    ['Unsettled', unsettled],
  ];
  return parts.flatMap(([title, text]) => (text === '' ? [] : [`${title}: ${text}`])).join(' ');
}

/** The presets of ADVANTAGES.md section 8; every one is a valid set of parameters of its estimator (tested). */
export const presets: readonly PresetInfo[] = described.map((preset) => ({ ...preset, note: noteOf(preset) }));

/** The preset with this name, or undefined. */
export function presetByName(name: string): PresetInfo | undefined {
  return presets.find((preset) => preset.name === name);
}
