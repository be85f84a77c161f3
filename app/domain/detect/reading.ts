// One rollout read with one pack: what was found out about a text once is kept for all rules.

import type { Found } from './automaton.ts';
import { type Gates, groupOf } from './gates.ts';
import type { PreparedRollout, Unit } from './prepare.ts';

export class Reading {
  readonly rollout: PreparedRollout;
  readonly gates: Gates;
  /** By part index: units that are stretches of their part's text share what is found in the part. */
  readonly #acts: (Found | undefined)[] = [];
  readonly #texts: (Found | undefined)[] = [];
  readonly #units = new WeakMap<Unit, Found>();

  constructor(rollout: PreparedRollout, gates: Gates) {
    this.rollout = rollout;
    this.gates = gates;
  }

  /** The literals in a unit's text; for a stretch of a part's text perhaps more than those. */
  found(unit: Unit): Found {
    const group = groupOf(unit.target);
    if (unit.stretch) {
      const parts = group === 'act' ? this.#acts : this.#texts;
      const found = parts[unit.index] ?? this.gates.find(group, unit.part.text);
      parts[unit.index] = found;
      return found;
    }
    const known = this.#units.get(unit) ?? this.gates.find(group, unit.text.text);
    this.#units.set(unit, known);
    return known;
  }
}

const readings = new WeakMap<PreparedRollout, Reading>();

/** The reading of a rollout; rules of one pack that are run one by one share it. */
export function readingOf(rollout: PreparedRollout, gates: Gates): Reading {
  const known = readings.get(rollout);
  if (known?.gates === gates) return known;
  const reading = new Reading(rollout, gates);
  readings.set(rollout, reading);
  return reading;
}
