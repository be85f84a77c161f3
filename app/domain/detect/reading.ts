// One rollout read with one pack: each text is searched for the literals of all rules once, and each rule is then led to the
// texts that it may match.

import type { RuleTarget } from '../../contract/rule-pack.ts';
import type { Found } from './automaton.ts';
import type { CompiledMatcher } from './compile.ts';
import { type GateGroup, type Gates, groupOf } from './gates.ts';
import type { PreparedRollout, Unit } from './prepare.ts';
import type { ScanPart } from './types.ts';

/** What is known of a text of one group. */
export interface Looked {
  readonly found: Found;
  readonly candidates: readonly number[];
}

const none: readonly Unit[] = [];

export class Reading {
  readonly rollout: PreparedRollout;
  readonly gates: Gates;
  /** By part index: units that are stretches of their part's text share what is found in the part. */
  readonly #acts: (Looked | undefined)[] = [];
  readonly #texts: (Looked | undefined)[] = [];
  readonly #units = new Map<Unit, Looked>();
  #calls: Map<number, number> | null = null;
  #wholeActs: readonly Unit[] | null = null;
  #closing: readonly Unit[] | null = null;
  #actions: Map<number, Unit[]> | null = null;
  /** By target: the units for each side of a rule. */
  readonly #led = new Map<RuleTarget, (readonly Unit[] | undefined)[]>();

  constructor(rollout: PreparedRollout, gates: Gates) {
    this.rollout = rollout;
    this.gates = gates;
  }

  /** The units of a target that a side of a rule may match, in log order. */
  unitsFor(matcher: CompiledMatcher, target: RuleTarget): readonly Unit[] {
    let led = this.#led.get(target);
    if (led === undefined) {
      led = this.#lead(target);
      this.#led.set(target, led);
    }
    return led[matcher.entry] ?? none;
  }

  /** Whether there is any unit that a side of a rule may match. */
  hasUnitsFor(matcher: CompiledMatcher): boolean {
    for (const target of matcher.targets) if (this.unitsFor(matcher, target).length > 0) return true;
    return false;
  }

  /** The part index of the call that an observation answers; undefined where the log does not show it. */
  callOf(observation: number): number | undefined {
    if (this.#calls === null) {
      this.#calls = new Map();
      for (const [call, list] of this.rollout.observations) for (const index of list) this.#calls.set(index, call);
    }
    return this.#calls.get(observation);
  }

  /** The `action` units of a part. */
  actionsAt(index: number): readonly Unit[] {
    if (this.#actions === null) {
      this.#actions = new Map();
      for (const unit of this.rollout.units.get('action') ?? []) {
        const list = this.#actions.get(unit.index);
        if (list === undefined) this.#actions.set(unit.index, [unit]);
        else list.push(unit);
      }
    }
    return this.#actions.get(index) ?? none;
  }

  /** The calls as they stand: the `action` units without those of the single commands in them. */
  get wholeActs(): readonly Unit[] {
    this.#wholeActs ??= (this.rollout.units.get('action') ?? none).filter(({ action }) => action?.whole === true);
    return this.#wholeActs;
  }

  /** Part index of the last act; -1 where there is none. */
  get lastAct(): number {
    return this.rollout.units.get('action')?.at(-1)?.index ?? -1;
  }

  /** The `message` units after the last act; the last message where there is none after it. */
  get closing(): readonly Unit[] {
    if (this.#closing === null) {
      const messages = this.rollout.units.get('message') ?? none;
      const { lastAct } = this;
      let first = messages.length;
      while (first > 0 && (messages[first - 1]?.index ?? -1) > lastAct) first--;
      this.#closing = messages.slice(Math.min(first, Math.max(0, messages.length - 1)));
    }
    return this.#closing;
  }

  /** The literals in a unit's text; for a stretch of a part's text perhaps more than those. */
  found(unit: Unit): Found {
    return this.#look(unit).found;
  }

  #lead(target: RuleTarget): (readonly Unit[] | undefined)[] {
    const { gates } = this;
    const units = this.rollout.units.get(target) ?? none;
    if (units.length === 0) return [];
    const led = new Array<Unit[] | undefined>(gates.size).fill(undefined);
    const lead = (entry: number, unit: Unit): void => {
      const list = led[entry];
      if (list === undefined) led[entry] = [unit];
      else list.push(unit);
    };
    const always = gates.always(groupOf(target)).filter((entry) => gates.reads(entry, target));
    // Sides that ask for nothing read every text.
    const choosy = always.filter((entry) => !gates.admits(entry, 0));
    for (const unit of units) {
      const { candidates } = this.#look(unit);
      if (candidates.length === 0 && choosy.length === 0) continue;
      const classes = this.#classes(unit);
      for (const entry of choosy) if (gates.admits(entry, classes)) lead(entry, unit);
      for (const entry of candidates) {
        if (gates.reads(entry, target) && gates.admits(entry, classes)) lead(entry, unit);
      }
    }
    const all: (readonly Unit[] | undefined)[] = led;
    for (const entry of always) if (gates.admits(entry, 0)) all[entry] = units;
    return all;
  }

  /** The classes of all paths that the unit is about. */
  #classes({ target, action, path }: Unit): number {
    const { classes } = this.gates;
    if (target !== 'action') return classes.of(path ?? '');
    let bits = 0;
    for (const object of action?.objects ?? []) bits |= classes.of(object.path);
    return bits;
  }

  #look(unit: Unit): Looked {
    const group = groupOf(unit.target);
    if (unit.stretch) {
      const parts = group === 'act' ? this.#acts : this.#texts;
      const looked = parts[unit.index] ?? this.#lookOnce(group, unit.part, unit.part.text);
      parts[unit.index] = looked;
      return looked;
    }
    const looked = this.#units.get(unit) ?? this.#lookOnce(group, unit, unit.text.text);
    this.#units.set(unit, looked);
    return looked;
  }

  #lookOnce(group: GateGroup, of: ScanPart | Unit, text: string): Looked {
    const { growth } = this.rollout;
    if (growth === null) return this.#lookAt(group, text);
    return growth.lookedAt(this.gates, group === 'act' ? 'act' : 'text', of, () => this.#lookAt(group, text));
  }

  #lookAt(group: GateGroup, text: string): Looked {
    const found = this.gates.find(group, text);
    return { found, candidates: this.gates.candidates(group, found) };
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
