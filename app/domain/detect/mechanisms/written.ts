// What a rollout writes, whatever it writes with: the text of each edit, and the program or call text where no edit could be told
// apart in it (a notebook cell that rewrites a file, a tool that fills in a slide).

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';

/** Longer texts are data. */
const longest = 60_000;

const kept = new WeakMap<Reading, readonly Unit[]>();

/** The `patch` units, and the whole `action` units of parts without any, in log order. */
export function writtenUnits(reading: Reading): readonly Unit[] {
  const known = kept.get(reading);
  if (known !== undefined) return known;
  const { units } = reading.rollout;
  const patches = (units.get('patch') ?? []).filter(({ text }) => text.text.length <= longest);
  const made: Unit[] = [];
  // Both lists are in log order, so that one walk along both merges them.
  let next = 0;
  const addPatchesBefore = (index: number): void => {
    for (let patch = patches[next]; patch !== undefined && patch.index < index; patch = patches[++next])
      made.push(patch);
  };
  for (const unit of units.get('action') ?? []) {
    const { length } = unit.text.text;
    if (unit.action?.whole !== true || length === 0 || length > longest) continue;
    addPatchesBefore(unit.index);
    if (patches[next]?.index !== unit.index) made.push(unit);
  }
  addPatchesBefore(Number.POSITIVE_INFINITY);
  kept.set(reading, made);
  return made;
}

/** Whether the file of a unit was made by the rollout before: it is the agent's own, and no given one. */
export function isOwnFile({ path, index }: Unit, { rollout }: Reading): boolean {
  const made = path === null ? undefined : rollout.created.get(path);
  return made !== undefined && made < index;
}
