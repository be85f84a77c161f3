// What decides quickly that a rule cannot match a text: the literals that its patterns need, found in one pass for all rules
// of a pack, and the classes of the paths that the text is about.

import type { RuleTarget } from '../../contract/rule-pack.ts';
import { Automaton, bitOf, bitsPerWord, type Found, wordOf } from './automaton.ts';
import { literalsOf, type Need } from './literals.ts';
import type { PathClasses } from './path-classes.ts';

/**
 * A need over literal numbers; null is always met. One array, since gates are asked millions of times. A group is `allOf` or `anyOf`,
 * the place behind its last member, the place behind its literals, its literals, and its groups. The literals of an expression have
 * numbers that follow one another: each word of them is one pair of a word's place in `Found` and its bits.
 */
export type Gate = Int32Array | null;

const allOf = -1;
const anyOf = -2;
const head = 3;

/** Texts that are read by different rules have automata of their own, so that each has few states. */
export type GateGroup = 'act' | 'observation' | 'message' | 'summary';

export function groupOf(target: RuleTarget): GateGroup {
  return target === 'observation' || target === 'message' || target === 'summary' ? target : 'act';
}

/** Whether a text in which these literals were found meets the gate. */
export function passes(gate: Gate, found: Found): boolean {
  return gate === null || holds(gate, 0, found);
}

function holds(gate: Int32Array, at: number, found: Found): boolean {
  const all = gate[at] === allOf;
  const end = gate[at + 1] ?? 0;
  const literals = gate[at + 2] ?? 0;
  for (let i = at + head; i < literals; i += 2) {
    const bits = gate[i + 1] ?? 0;
    const there = (found[gate[i] ?? 0] ?? 0) & bits;
    if (all ? there !== bits : there !== 0) return !all;
  }
  for (let i = literals; i < end; i = gate[i + 1] ?? end) if (holds(gate, i, found) !== all) return !all;
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

  /** How many sides of rules were entered. */
  get size(): number {
    return this.#entries.length;
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
        const entries = woken[word * bitsPerWord + 31 - Math.clz32(bits & -bits)];
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

/** A need over the numbers of its literals; a literal without a number counts as met. */
export function numbered(need: Need | null, ids: ReadonlyMap<string, number>): Gate {
  const gate: number[] = [];
  if (need === null) return null;
  return write(typeof need === 'string' ? { op: 'all', of: [need] } : need, ids, gate) ? Int32Array.from(gate) : null;
}

/** Appends a group to a gate; false, with the gate as it was, where it is always met. */
function write({ op, of }: Exclude<Need, string>, ids: ReadonlyMap<string, number>, gate: number[]): boolean {
  const start = gate.length;
  const words = new Map<number, number>();
  const groups: Exclude<Need, string>[] = [];
  let free = false;
  for (const member of of) {
    const id = typeof member === 'string' ? ids.get(member) : undefined;
    if (typeof member !== 'string') groups.push(member);
    else if (id === undefined) free = true;
    else words.set(wordOf(id), (words.get(wordOf(id)) ?? 0) | bitOf(id));
  }
  gate.push(op === 'all' ? allOf : anyOf, 0, start + head + words.size * 2, ...[...words].flat());
  for (const group of groups) if (!write(group, ids, gate)) free = true;
  // Any of something that is met is met; all of nothing too.
  if ((op === 'any' && free) || gate.length === start + head) {
    gate.length = start;
    return false;
  }
  gate[start + 1] = gate.length;
  return true;
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
