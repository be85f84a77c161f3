// The estimators with parameters that a log is compared with: every preset, and the structures and baselines around them with
// the discounts that the configuration names or the log itself suggests.

import type { DiagnosisCode } from '../../../contract/verify.ts';
import type { LambdaSpec } from '../lambda.ts';
import { presets } from '../presets.ts';
import { estimatorById } from '../registry.ts';
import type { Scope } from '../types.ts';
import type { Discount } from './sequences.ts';

export interface Setting {
  readonly key: string;
  readonly estimator: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Presets that give these advantages. */
  readonly presets: readonly string[];
  readonly scope: Scope;
  /** What a trainer that does this is to be told; null where it is what a paper says. */
  readonly convention: DiagnosisCode | null;
  readonly gamma: number | null;
  readonly lambda: LambdaSpec | null;
}

/** Parameters that change return targets or losses but not advantages. */
const besides = new Set(['returns', 'lambda_critic']);

/** The same words for the same advantages: parameters with their defaults, in order, without those that change nothing here. */
function settingOf(
  estimator: string,
  params: Readonly<Record<string, unknown>>,
  names: readonly string[] = [],
): Setting | null {
  const definition = estimatorById(estimator);
  if (definition === undefined || definition.output !== 'advantages') return null;
  const defaults = Object.fromEntries(definition.parameters.map(({ name, default: value }) => [name, value]));
  const all = { ...defaults, ...params };
  const shown = Object.entries(all)
    .filter(([name]) => !besides.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    key: JSON.stringify([estimator, shown]),
    estimator,
    params,
    presets: names,
    scope: definition.scopeWith(params),
    convention: conventionOf(estimator, params),
    gamma: typeof all.gamma === 'number' ? all.gamma : null,
    lambda: isLambda(all.lambda) ? all.lambda : null,
  };
}

function isLambda(value: unknown): value is LambdaSpec {
  return typeof value === 'number' || (typeof value === 'object' && value !== null && 'alpha' in value);
}

function conventionOf(estimator: string, params: Readonly<Record<string, unknown>>): DiagnosisCode | null {
  if (params.whiten !== undefined && params.whiten !== null && params.whiten !== 'none') return 'whitened-globally';
  if (estimator === 'gae_all_tokens') return 'observations-as-transitions';
  return params.unit === 'segment' ? 'siblings-counted-twice' : null;
}

/** What of a batch decides which options make sense. */
export interface Occasion {
  readonly discounts: readonly Discount[];
  readonly hasValues: boolean;
  readonly hasTeacher: boolean;
  readonly hasGreedy: boolean;
  /** Some truncated rollout has the value of its last state. */
  readonly hasBootstrap: boolean;
  /** Rewards stand on masked tokens. */
  readonly hasMaskedRewards: boolean;
}

const groupChoices: readonly Readonly<Record<string, unknown>>[] = [
  { kind: 'grpo', ddof: 1, eps: 1e-6 },
  { kind: 'center' },
  { kind: 'grpo', ddof: 1, eps: 1e-4 },
  { kind: 'grpo', ddof: 0, eps: 1e-6 },
  { kind: 'grpo', ddof: 0, eps: 1e-4 },
  { kind: 'rloo' },
  { kind: 'opo' },
  { kind: 'gpg' },
  { kind: 'passk' },
  { kind: 'passk', norm: true },
  { kind: 'constant_baseline' },
];

/**
 * All settings for a batch, each once, in the order in which equal fits are preferred: settings with named discounts in
 * the order of the structures, presets, then estimates. Conventions that walk observations come last.
 */
export function settingsFor(occasion: Occasion): Setting[] {
  const list: (Setting | null)[] = [];
  if (occasion.hasValues) {
    for (const discount of occasion.discounts) list.push(...gaeSettings(discount, occasion));
  }
  for (const preset of presets) {
    const setting = settingOf(preset.estimator, preset.params, [preset.name]);
    if (setting !== null && (occasion.hasValues || estimatorById(setting.estimator)?.needsValues === false)) {
      list.push(setting);
    }
  }
  for (const params of groupChoices) list.push(settingOf('group', { ...params, missing_reward: 'exclude' }));
  if (occasion.hasGreedy) list.push(settingOf('group', { kind: 'remax', missing_reward: 'exclude' }));
  const gammas = new Set([1, ...occasion.discounts.map(({ gamma }) => gamma)]);
  for (const gamma of gammas) {
    list.push(
      settingOf('reinforce_pp', { gamma, scope: 'rollout' }),
      settingOf('reinforce_pp', { gamma, scope: 'segment' }),
    );
  }
  if (occasion.hasTeacher) list.push(settingOf('opd', {}));
  return merged(list.filter((setting) => setting !== null));
}

function gaeSettings(discount: Discount, occasion: Occasion): (Setting | null)[] {
  const { gamma, lambda } = discount;
  const constant = typeof lambda === 'number';
  const oneLambda = constant || lambda.length === 'rollout_trainable';
  const variants: Record<string, unknown>[] = [{}];
  if (occasion.hasMaskedRewards) variants.push({ masked_reward: 'fold_prev' });
  if (occasion.hasBootstrap) variants.push(...variants.map((variant) => ({ ...variant, truncation: 'bootstrap' })));
  const list: (Setting | null)[] = [];
  for (const variant of variants) {
    const base = { gamma, lambda, ...variant };
    list.push(settingOf('gae_cross', { ...base, factor: 'own' }));
    if (!constant) list.push(settingOf('gae_cross', { ...base, factor: 'product' }));
    list.push(settingOf('gae_local', { ...base, reward_placement: 'every_segment' }));
    list.push(settingOf('gae_local', { ...base, reward_placement: 'last_segment' }));
    if (oneLambda) list.push(settingOf('gae_stitched', base));
  }
  list.push(settingOf('gae_all_tokens', { gamma, lambda, terminal_at: 'last_token' }));
  list.push(settingOf('gae_all_tokens', { gamma, lambda, terminal_at: 'last_trainable' }));
  list.push(settingOf('gae_all_tokens', { gamma, lambda, terminal_at: 'last_trainable', zero_masked: true }));
  return list;
}

/** Each setting once, with the names of all presets that share it; conventions last. */
function merged(list: readonly Setting[]): Setting[] {
  const byKey = new Map<string, Setting>();
  for (const setting of list) {
    const known = byKey.get(setting.key);
    byKey.set(
      setting.key,
      known === undefined ? setting : { ...known, presets: [...known.presets, ...setting.presets] },
    );
  }
  const all = [...byKey.values()];
  return [
    ...all.filter(({ convention }) => convention === null),
    ...all.filter(({ convention }) => convention !== null),
  ];
}

/** "γ 1, λ 0.999" */
export function discountLabel(gamma: number | null, lambda: LambdaSpec | null): string {
  const parts: string[] = [];
  if (gamma !== null) parts.push(`γ ${short(gamma)}`);
  if (typeof lambda === 'number') parts.push(`λ ${short(lambda)}`);
  else if (lambda !== null) parts.push(`λ 1 − 1/(${short(lambda.alpha)}·l), l = ${lengthWords[lambda.length]}`);
  return parts.join(', ');
}

const lengthWords = {
  segment_trainable: 'trainable tokens of the segment',
  rollout_trainable: 'trainable tokens of the rollout',
  segment_tokens: 'all tokens of the segment',
} as const;

function short(x: number): string {
  return String(Number(x.toPrecision(7)));
}

/** The setting in words: estimator, discount, and the options that are not the usual ones. */
export function settingLabel(setting: Setting): string {
  const { estimator, params, gamma, lambda } = setting;
  const options: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (['gamma', 'lambda', 'missing_reward', 'returns', 'lambda_critic'].includes(name)) continue;
    if (value === null || value === false || (name === 'factor' && value === 'own')) continue;
    options.push(
      value === true ? name : `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    );
  }
  return [estimator, discountLabel(gamma, lambda), ...options].filter((part) => part !== '').join(', ');
}

/** Whether two lambdas are the same number or rule. */
export function sameLambda(a: LambdaSpec | null, b: LambdaSpec | null): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < 1e-9;
  if (a === null || b === null || typeof a === 'number' || typeof b === 'number') return a === b;
  return a.alpha === b.alpha && a.length === b.length && a.max === b.max;
}

/** The setting with whitening by one trainer's convention, for naming a whitened log. */
export function whitenedSetting(setting: Setting, whiten: 'verl' | 'openrlhf'): Setting | null {
  return settingOf(setting.estimator, { ...setting.params, whiten });
}

/** The preset's own setting, or null. */
export function presetSetting(name: string): Setting | null {
  const preset = presets.find((one) => one.name === name);
  return preset === undefined ? null : settingOf(preset.estimator, preset.params, [preset.name]);
}

/** Gamma and lambda of a setting that has both. */
export function discountOf(setting: Setting | null): Discount | null {
  return setting === null || setting.gamma === null || setting.lambda === null
    ? null
    : { gamma: setting.gamma, lambda: setting.lambda };
}

/** Whether two discounts are the same numbers or rules. */
export function sameDiscount(a: Discount, b: Discount): boolean {
  return a.gamma === b.gamma && sameLambda(a.lambda, b.lambda);
}
