// What decides quickly that a rule cannot match a text: the literals that its patterns need, found in one pass for all rules
// of a pack, and the classes of the paths that the text is about.

import type { RuleTarget } from '../../contract/rule-pack.ts';
import { Automaton, type Found } from './automaton.ts';
import { literalsOf, type Need } from './literals.ts';
import type { PathClasses } from './path-classes.ts';

/** A need over literal numbers; null is always met. */
export type Gate = null | number | { readonly all: boolean; readonly of: readonly Gate[] };

/** Texts that are read by different rules have automata of their own, so that each has few states. */
export type GateGroup = 'act' | 'observation' | 'message' | 'summary';

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

const targetBits: Readonly<Record<RuleTarget, number>> = {
  action: 1,
  file_path: 2,
  patch: 4,
  removed: 8,
  observation: 16,
  summary: 32,
  message: 64,
};

/** What the gates know of one side of a rule. */
interface Entry {
  readonly gate: Gate;
  /** As bits of `targetBits`. */
  readonly targets: number;
  /** Path classes as bits of `PathClasses.of`; 0 where the side has none. */
  readonly classes: number;
}

interface Group {
  readonly literals: Map<string, number>;
  /** By literal number: the entries that one of their trigger literals wakes. */
  readonly woken: (number[] | undefined)[];
  /** Entries without a trigger: looked at in every text. */
  readonly always: number[];
  automaton: Automaton | null;
}

const none: readonly number[] = [];

/** Built while a pack is compiled; all gates are made before the first text is read. */
export class Gates {
  readonly classes: PathClasses;
  readonly #ids = new Map<string, number>();
  readonly #groups = new Map<GateGroup, Group>();
  readonly #entries: Entry[] = [];
  /** By entry: the run in which it was woken last. */
  readonly #seen: number[] = [];
  #run = 0;

  constructor(classes: PathClasses) {
    this.classes = classes;
  }

  /** The gate of a need for texts of these targets. */
  gate(need: Need | null, targets: readonly RuleTarget[]): Gate {
    for (const literal of literalsOf(need)) {
      const id = this.#ids.get(literal) ?? this.#ids.size;
      this.#ids.set(literal, id);
      for (const target of targets) this.#group(groupOf(target)).literals.set(literal, id);
    }
    return numbered(need, this.#ids);
  }

  /** Enters one side of a rule and gives its number. */
  enter(need: Need | null, targets: readonly RuleTarget[], classes: number): number {
    const entry = this.#entries.length;
    const bits = targets.reduce((sum, target) => sum | targetBits[target], 0);
    this.#entries.push({ gate: this.gate(need, targets), targets: bits, classes });
    this.#seen.push(0);
    const triggers = triggersOf(need);
    for (const group of new Set(targets.map(groupOf))) {
      const { woken, always } = this.#group(group);
      if (triggers === null) always.push(entry);
      for (const literal of triggers ?? []) {
        const id = this.#ids.get(literal) ?? 0;
        const list = woken[id] ?? [];
        list.push(entry);
        woken[id] = list;
      }
    }
    return entry;
  }

  /** The literals of the group that stand in the text. */
  find(group: GateGroup, text: string): Found {
    const { literals, automaton } = this.#group(group);
    const made = automaton ?? new Automaton(literals, this.#ids.size);
    this.#group(group).automaton = made;
    return made.find(text);
  }

  /** The sides that these literals wake: the gate of each is met. Sides without a trigger are not among them. */
  candidates(group: GateGroup, found: Found): readonly number[] {
    const { woken } = this.#group(group);
    this.#run++;
    let list: number[] | null = null;
    for (let word = 0; word < found.length; word++) {
      for (let bits = found[word] ?? 0; bits !== 0; bits &= bits - 1) {
        const entries = woken[word * 32 + 31 - Math.clz32(bits & -bits)];
        if (entries === undefined) continue;
        for (const entry of entries) {
          if (this.#seen[entry] === this.#run) continue;
          this.#seen[entry] = this.#run;
          if (!passes(this.#entries[entry]?.gate ?? null, found)) continue;
          if (list === null) list = [entry];
          else list.push(entry);
        }
      }
    }
    return list ?? none;
  }

  /** The sides that no literal wakes: they are looked at for every text. */
  always(group: GateGroup): readonly number[] {
    return this.#group(group).always;
  }

  reads(entry: number, target: RuleTarget): boolean {
    return ((this.#entries[entry]?.targets ?? 0) & targetBits[target]) !== 0;
  }

  /** Whether a side asks for no path class, or for one of these. */
  admits(entry: number, classes: number): boolean {
    const wanted = this.#entries[entry]?.classes ?? 0;
    return wanted === 0 || (wanted & classes) !== 0;
  }

  #group(name: GateGroup): Group {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const made: Group = { literals: new Map(), woken: [], always: [], automaton: null };
    this.#groups.set(name, made);
    return made;
  }
}

/** A need over the numbers of its literals. */
export function numbered(need: Need | null, ids: ReadonlyMap<string, number>): Gate {
  if (need === null) return null;
  if (typeof need === 'string') return ids.get(need) ?? null;
  return { all: need.op === 'all', of: need.of.map((each) => numbered(each, ids)) };
}

/** Literals of which at least one is in every text that meets the need: the rarest such set, judged by length. */
function triggersOf(need: Need | null): string[] | null {
  if (need === null) return null;
  if (typeof need === 'string') return [need];
  const sets = need.of.map(triggersOf);
  if (need.op === 'any') return sets.some((set) => set === null) ? null : sets.flatMap((set) => set ?? []);
  let best: string[] | null = null;
  for (const set of sets) if (set !== null && (best === null || rarity(set) > rarity(best))) best = set;
  return best;
}

function rarity(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => literal.length)) - literals.length / 50;
}
