// A setting of what-if as text: what stands in the URL, so that a comparison can be sent as a link.

import { type EstimatorRun, type WhatIfSetting, whatIfSetting } from '../../app/contract/index.ts';
import { presetByName } from '../../app/domain/advantage/presets.ts';
import { estimatorById } from '../../app/domain/advantage/registry.ts';

/** `{}` with every default. */
function settingOf(parts: Record<string, unknown>): WhatIfSetting | null {
  const parsed = whatIfSetting.safeParse(parts);
  return parsed.success ? parsed.data : null;
}

/**
 * The text of a setting: a query string with `est`, `preset`, `.name` for a parameter (JSON), `critic`, `norm`, `hacks`, `no`
 * (kinds, comma separated) and `reward`. What is the default is left out.
 */
export function formatSetting(setting: WhatIfSetting): string {
  const query = new URLSearchParams({ est: setting.estimator });
  if (setting.preset !== null) query.set('preset', setting.preset);
  for (const [name, value] of Object.entries(setting.params)) query.set(`.${name}`, JSON.stringify(value));
  const { critic } = setting;
  if (critic.kind !== 'logged') {
    query.set('critic', critic.kind === 'constant' ? `constant:${critic.value}` : critic.kind);
  }
  if (setting.normaliser !== 'token_mean') query.set('norm', setting.normaliser);
  if (setting.withoutHacks !== 'none') query.set('hacks', setting.withoutHacks);
  if (setting.withoutKinds.length > 0) query.set('no', setting.withoutKinds.join(','));
  if (setting.reward !== null) query.set('reward', String(setting.reward));
  return query.toString();
}

/** The setting of a text; null for a text that is none, which is then as good as absent. */
export function parseSetting(text: string): WhatIfSetting | null {
  const query = new URLSearchParams(text);
  const estimator = query.get('est');
  if (estimator === null) return null;
  const params: [string, unknown][] = [];
  for (const [name, value] of query) {
    if (!name.startsWith('.')) continue;
    const parsed = parsedJson(value);
    if (parsed === undefined) return null;
    params.push([name.slice(1), parsed]);
  }
  const critic = query.get('critic');
  const constant = critic?.startsWith('constant:') === true ? Number(critic.slice('constant:'.length)) : null;
  const reward = query.get('reward');
  return settingOf({
    estimator,
    preset: query.get('preset'),
    params: Object.fromEntries(params),
    ...(critic === null
      ? {}
      : { critic: constant === null ? { kind: critic } : { kind: 'constant', value: constant } }),
    ...optional('normaliser', query.get('norm')),
    ...optional('withoutHacks', query.get('hacks')),
    ...(query.get('no') === null ? {} : { withoutKinds: (query.get('no') ?? '').split(',').filter((k) => k !== '') }),
    ...(reward === null || reward === '' ? {} : { reward: Number(reward) }),
  });
}

function optional(name: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [name]: value };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An estimator as it stands, with everything else at its default. */
export function plainSetting(
  estimator: string,
  preset: string | null,
  params: Readonly<Record<string, unknown>> = {},
): WhatIfSetting {
  return {
    estimator,
    preset,
    params: { ...params },
    critic: { kind: 'logged' },
    normaliser: 'token_mean',
    withoutHacks: 'none',
    withoutKinds: [],
    reward: null,
  };
}

/** The setting of a stored run: its preset, with those of its parameters that are neither the preset's nor the default. */
export function settingOfRun(run: Pick<EstimatorRun, 'estimator' | 'preset' | 'params'>): WhatIfSetting {
  const preset = run.preset === null ? undefined : presetByName(run.preset);
  const usual = new Map<string, unknown>([
    ...(estimatorById(run.estimator)?.parameters ?? []).map(({ name, default: value }): [string, unknown] => [
      name,
      value,
    ]),
    ...Object.entries(preset?.params ?? {}),
  ]);
  const own = Object.entries(run.params).filter(([name, value]) => !isSame(value, usual.get(name)));
  return plainSetting(run.estimator, preset?.name ?? null, Object.fromEntries(own));
}

/** A step that is off is null in parameters and `none` in a form; the order of fields means nothing. */
function isSame(a: unknown, b: unknown): boolean {
  return canonical(a ?? 'none') === canonical(b ?? 'none');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : part,
  );
}
