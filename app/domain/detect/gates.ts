// The literals that a pack's patterns need, numbered, and the automata that find them: what decides quickly that a pattern
// cannot match a text.

import type { RuleTarget } from '../../contract/rule-pack.ts';
import { Automaton, type Found } from './automaton.ts';
import { literalsOf, type Need } from './literals.ts';

/** A need over literal numbers; null is always met. */
export type Gate = null | number | { readonly all: boolean; readonly of: readonly Gate[] };

/** Texts that are read by different rules have automata of their own, so that a short one has few states. */
export type GateGroup = 'act' | 'observation' | 'message' | 'summary' | 'path';

export function groupOf(target: RuleTarget): GateGroup {
  return target === 'observation' || target === 'message' || target === 'summary' ? target : 'act';
}

/** Whether a text in which these literals were found meets the gate. */
export function passes(gate: Gate, found: Found): boolean {
  if (gate === null) return true;
  if (typeof gate === 'number') return ((found[gate >> 5] ?? 0) & (1 << (gate & 31))) !== 0;
  const { all, of } = gate;
  for (let i = 0; i < of.length; i++) if (passes(of[i] ?? null, found) !== all) return !all;
  return all;
}

/** Numbers literals while a pack is compiled, then finds them. */
export class Gates {
  readonly #ids = new Map<string, number>();
  readonly #groups = new Map<GateGroup, Map<string, number>>();
  readonly #automata = new Map<GateGroup, Automaton>();
  #lastPath: { readonly path: string; readonly found: Found } | null = null;

  /** The gate of a need for texts of these groups. All gates are made before the first text is read. */
  gate(need: Need | null, groups: readonly GateGroup[]): Gate {
    for (const literal of literalsOf(need)) {
      const id = this.#ids.get(literal) ?? this.#ids.size;
      this.#ids.set(literal, id);
      for (const group of groups) {
        const known = this.#groups.get(group) ?? new Map<string, number>();
        this.#groups.set(group, known.set(literal, id));
      }
    }
    return this.#numbered(need);
  }

  /** The literals of the group's gates that stand in the text. */
  find(group: GateGroup, text: string): Found {
    let automaton = this.#automata.get(group);
    if (automaton === undefined) {
      automaton = new Automaton(this.#groups.get(group) ?? new Map(), this.#ids.size);
      this.#automata.set(group, automaton);
    }
    return automaton.find(text);
  }

  /** The literals of path classes in a path; the last answer is kept, as one path is asked for class by class. */
  findInPath(path: string): Found {
    if (this.#lastPath?.path !== path) this.#lastPath = { path, found: this.find('path', path) };
    return this.#lastPath.found;
  }

  #numbered(need: Need | null): Gate {
    if (need === null) return null;
    if (typeof need === 'string') return this.#ids.get(need) ?? null;
    return { all: need.op === 'all', of: need.of.map((each) => this.#numbered(each)) };
  }
}
