// A named class of paths. The same few paths turn up again and again in a log, so that an answer is kept.

import { type Gate, type Gates, passes } from './gates.ts';

/** Answers kept; then they are forgotten together. */
const maxKept = 20_000;

export class PathClass {
  readonly #any: readonly RegExp[];
  readonly #unless: readonly RegExp[];
  readonly #gate: Gate;
  readonly #gates: Gates;
  readonly #known = new Map<string, boolean>();

  /** A path is in the class when one of `any` and none of `unless` matches it; `gate` is what `any` needs. */
  constructor(any: readonly RegExp[], unless: readonly RegExp[], gate: Gate, gates: Gates) {
    this.#any = any;
    this.#unless = unless;
    this.#gate = gate;
    this.#gates = gates;
  }

  has(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKept) this.#known.clear();
    const found =
      passes(this.#gate, this.#gates.findInPath(path)) &&
      this.#any.some((regex) => regex.test(path)) &&
      !this.#unless.some((regex) => regex.test(path));
    this.#known.set(path, found);
    return found;
  }
}
