// Parameters of a setting: the values in force, and what a field makes of them.

import type { EstimatorInfo, PresetInfo, WhatIfSetting } from '../../../app/contract/index.ts';

export interface Registry {
  readonly estimators: readonly EstimatorInfo[];
  readonly presets: readonly PresetInfo[];
}

/** The value of every parameter of the setting's estimator: defaults, then the preset's, then those given. */
export function valuesOf(setting: WhatIfSetting, registry: Registry): ReadonlyMap<string, unknown> {
  const info = registry.estimators.find(({ id }) => id === setting.estimator);
  const preset = registry.presets.find(({ name }) => name === setting.preset);
  return new Map<string, unknown>([
    ...(info?.parameters ?? []).map(({ name, default: value }): [string, unknown] => [name, value]),
    ...Object.entries(preset?.estimator === setting.estimator ? preset.params : {}),
    ...Object.entries(setting.params),
  ]);
}

/** The setting with one parameter at another value. */
export function withParam(setting: WhatIfSetting, name: string, value: unknown): WhatIfSetting {
  return { ...setting, params: { ...setting.params, [name]: value } };
}

/** A λ that grows with length. */
export interface AdaptiveLambda {
  readonly alpha: number;
  readonly length: string;
}

/** The adaptive form of a λ; null for a number or nothing. */
export function adaptiveOf(value: unknown): AdaptiveLambda | null {
  if (typeof value !== 'object' || value === null || !('alpha' in value) || typeof value.alpha !== 'number')
    return null;
  const length = 'length' in value && typeof value.length === 'string' ? value.length : 'segment_trainable';
  return { alpha: value.alpha, length };
}

/** The presets and estimators that give token advantages, as choices: `p:name` and `e:id`. */
export function choicesOf(
  registry: Registry,
): { readonly value: string; readonly label: string; readonly detail: string }[] {
  const usable = registry.estimators.filter(({ output }) => output === 'advantages');
  const ids = new Set(usable.map(({ id }) => id));
  return [
    ...registry.presets
      .filter(({ estimator }) => ids.has(estimator))
      .map(({ name, title }) => ({ value: `p:${name}`, label: name, detail: title })),
    ...usable.map(({ id, title }) => ({ value: `e:${id}`, label: id, detail: title })),
  ];
}

/** The choice a setting stands on. */
export function choiceOf(setting: WhatIfSetting): string {
  return setting.preset === null ? `e:${setting.estimator}` : `p:${setting.preset}`;
}

/** The setting on another preset or estimator; everything that is not a parameter stays. */
export function withChoice(setting: WhatIfSetting, choice: string, registry: Registry): WhatIfSetting {
  const name = choice.slice(2);
  if (choice.startsWith('e:')) return { ...setting, estimator: name, preset: null, params: {} };
  const preset = registry.presets.find((one) => one.name === name);
  return preset === undefined ? setting : { ...setting, estimator: preset.estimator, preset: name, params: {} };
}
