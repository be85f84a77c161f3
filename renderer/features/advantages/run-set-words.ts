// Sets of runs in words. Pure.

import type { RunSet } from '../../../app/contract/index.ts';
import { presetByName } from '../../../app/domain/advantage/presets.ts';
import { estimatorById } from '../../../app/domain/advantage/registry.ts';
import { plural } from '../../ui/format.ts';
import { formatParameter } from '../../ui/parameters/parameter-words.ts';

/** Its preset, else its estimator. */
export function setName({ preset, estimator }: Pick<RunSet, 'preset' | 'estimator'>): string {
  return preset ?? estimator;
}

/** The parameters that are neither the preset's nor defaults: `gamma 0.99, lambda 0.95`; `as the preset` where there are none. */
export function setParameters({ preset, estimator, params }: Pick<RunSet, 'preset' | 'estimator' | 'params'>): string {
  const usual = new Map<string, unknown>([
    ...(estimatorById(estimator)?.parameters ?? []).map(({ name, default: value }): [string, unknown] => [name, value]),
    ...Object.entries((preset === null ? undefined : presetByName(preset))?.params ?? {}),
  ]);
  const own = Object.entries(params).filter(([name, value]) => text(value) !== text(usual.get(name)));
  if (own.length === 0) return preset === null ? 'defaults' : '';
  return own.map(([name, value]) => `${name} ${formatParameter(value)}`).join(', ');
}

/** A step that is off is null in parameters and `none` in a form. */
function text(value: unknown): string {
  return JSON.stringify(value ?? 'none', (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : part,
  );
}

/** Why runs of a set no longer hold; empty when all of them do. */
export function staleReason({ staleByVersion, staleByInputs, versions, currentVersion }: RunSet): string {
  const reasons: string[] = [];
  if (staleByVersion > 0) {
    reasons.push(
      currentVersion === null
        ? 'the estimator is no longer there'
        : `${plural(staleByVersion, 'run')} of version ${versions.filter((one) => one !== currentVersion).join(', ')}, now ${currentVersion}`,
    );
  }
  if (staleByInputs > 0) reasons.push(`inputs of ${plural(staleByInputs, 'run')} changed`);
  return reasons.join('; ');
}
