// What is compared, as the URL has it, as the engine takes it, and as the command line says it. Pure.

import type { CriticStandIn, Filter, PresetInfo } from '../../../app/contract/index.ts';
import { presets } from '../../../app/domain/advantage/presets.ts';
import { estimatorById } from '../../../app/domain/advantage/registry.ts';
import { parseFilter } from '../../../app/domain/filter/filter.ts';
import { formatCritic, parseCritic } from '../../data/critic-choice.ts';
import type { AdvantagesRoute } from '../../routes.ts';

export interface Choice {
  readonly where: Filter;
  /** Why the filter in the address could not be read; then nothing is started. */
  readonly problem: string | null;
  readonly critic: CriticStandIn;
  /** A preset's name. */
  readonly expect: string | undefined;
}

/** Presets that a trainer can be meant to follow: those that give advantages. */
export const expectable: readonly PresetInfo[] = presets.filter(
  ({ estimator }) => estimatorById(estimator)?.output === 'advantages',
);

/** The choice of a route. An unknown preset is none. */
export function choiceOf(route: AdvantagesRoute): Choice {
  const parsed = parseFilter(route.where ?? '');
  return {
    where: parsed.ok ? parsed.value.where : [],
    problem: parsed.ok ? null : parsed.error.message,
    critic: parseCritic(route.critic),
    expect: expectable.find(({ name }) => name === route.expect)?.name,
  };
}

/** The route with another choice: what was compared before is no longer on show, and Back finds it. */
export function withChoice(
  route: AdvantagesRoute,
  change: Partial<Pick<AdvantagesRoute, 'where' | 'critic' | 'expect'>>,
): AdvantagesRoute {
  return { ...route, ...change, job: undefined, sel: undefined, show: undefined };
}

/** The command that compares the same in CI. `values` names the file of a critic that was joined. */
export function commandOf(
  workspace: string,
  route: Pick<AdvantagesRoute, 'where' | 'expect'>,
  critic: CriticStandIn,
  values: string | null,
): string {
  const text = critic.kind === 'file' ? `file:${values ?? critic.values}` : formatCritic(critic);
  return [
    'rollscope verify',
    `--db ${quoted(workspace)}`,
    ...(route.where === undefined || route.where === '' ? [] : [`--where ${quoted(route.where)}`]),
    ...(route.expect === undefined ? [] : [`--expect ${quoted(route.expect)}`]),
    ...(text === undefined ? [] : [`--critic ${quoted(text)}`]),
    '--json',
  ].join(' ');
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
