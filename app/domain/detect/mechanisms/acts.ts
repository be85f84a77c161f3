// The acts of a rollout as comparisons read them, and what came back to each: worked out once for all comparisons of a reading.

import { baseName } from '../actions.ts';
import type { Guarded } from '../guards.ts';
import { keptWith } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import type { Action } from '../types.ts';

/** An `action` unit that stands for itself. */
export interface Act {
  readonly unit: Unit;
  readonly action: Action;
  /** Its place among the `action` units of the rollout. */
  readonly order: number;
}

/**
 * The acts that have a text, in log order. Command lines whose commands are acts of their own are left out: the commands stand for
 * them.
 */
export const singleActs = keptWith(({ rollout }: Reading): readonly Act[] => {
  const units = rollout.units.get('action') ?? [];
  const split = new Set<number>();
  for (const { index, action } of units) if (action?.whole === false) split.add(index);
  const acts: Act[] = [];
  for (const [order, unit] of units.entries()) {
    const { action } = unit;
    if (action === null || unit.text.text === '' || (action.whole && split.has(unit.index))) continue;
    acts.push({ unit, action, order });
  }
  return acts;
});

/** Names of files that acts write or delete -> the place of the first such act among the `action` units. */
export const firstWrites = keptWith(({ rollout }: Reading): ReadonlyMap<string, number> => {
  const written = new Map<string, number>();
  for (const [order, { action }] of (rollout.units.get('action') ?? []).entries())
    for (const { verb, path } of action?.objects ?? []) {
      if (verb !== 'write' && verb !== 'delete') continue;
      const name = baseName(path);
      if (!written.has(name)) written.set(name, order);
    }
  return written;
});

const shownTexts = keptWith((_: Reading) => new Map<number, string>());

/** All that came back to a call, its beginning where it is long. */
export function shownBy(call: number, reading: Reading): string {
  const texts = shownTexts(reading);
  const known = texts.get(call);
  if (known !== undefined) return known;
  const { observations, parts } = reading.rollout;
  const shown = (observations.get(call) ?? [])
    .map((index) => parts[index]?.text ?? '')
    .join('\n')
    .slice(0, longestShown);
  texts.set(call, shown);
  return shown;
}

const longestShown = 40_000;

/** Whether an expression may match in what came back to a call. */
export function answersAdmit(guarded: Guarded, call: number, { rollout }: Reading): boolean {
  return rollout.observations.get(call)?.some((index) => rollout.mentions.admitPart(guarded, index)) === true;
}
