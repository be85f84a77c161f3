// The named classes of paths of a pack. The same few paths turn up again and again in a log, so that answers are kept.

import { Automaton, bitOf as literalBit, wordOf } from './automaton.ts';
import { anyOf, literalsOf, type Need, needOf } from './literals.ts';

/** Answers kept; then they are forgotten together. */
const maxKept = 20_000;

export interface PathClass {
  /** Bit of `PathClasses.of`; classes from the 31st on share the last one. */
  readonly bit: number;
  has(path: string): boolean;
}

interface Known {
  readonly any: readonly RegExp[];
  readonly unless: readonly RegExp[];
  readonly need: Need | null;
  readonly literals: readonly string[];
}

export class PathClasses {
  readonly #classes: Known[] = [];
  readonly #ids = new Map<string, number>();
  #automaton: Automaton | null = null;
  /** Path -> the numbers of its classes. */
  readonly #kept = new Map<string, { readonly bits: number; readonly numbers: readonly number[] }>();

  /** A path is in the class when one of `any` and none of `unless` matches it. */
  add(any: readonly RegExp[], unless: readonly RegExp[]): PathClass {
    const number = this.#classes.length;
    const need = anyOf(any.map(({ source }) => needOf(source)));
    const literals = literalsOf(need);
    for (const literal of literals) this.#ids.set(literal, this.#ids.get(literal) ?? this.#ids.size);
    this.#classes.push({ any, unless, need, literals });
    return { bit: bitOf(number), has: (path) => this.#of(path).numbers.includes(number) };
  }

  /** The classes of a path as bits. */
  of(path: string): number {
    return this.#of(path).bits;
  }

  #of(path: string): { readonly bits: number; readonly numbers: readonly number[] } {
    const kept = this.#kept.get(path);
    if (kept !== undefined) return kept;
    this.#automaton ??= new Automaton(this.#ids, this.#ids.size);
    const found = this.#automaton.find(path);
    const stands = (literal: string): boolean => {
      const id = this.#ids.get(literal) ?? 0;
      return ((found[wordOf(id)] ?? 0) & literalBit(id)) !== 0;
    };
    const numbers: number[] = [];
    let bits = 0;
    for (const [number, { any, unless, need, literals }] of this.#classes.entries()) {
      // Alternatives need one literal each; a longer condition is not worth its time on a short path.
      if (need !== null && !literals.some(stands)) continue;
      if (!any.some((regex) => regex.test(path)) || unless.some((regex) => regex.test(path))) continue;
      numbers.push(number);
      bits |= bitOf(number);
    }
    if (this.#kept.size >= maxKept) this.#kept.clear();
    const made = { bits, numbers };
    this.#kept.set(path, made);
    return made;
  }
}

function bitOf(number: number): number {
  return 1 << Math.min(number, 31);
}
