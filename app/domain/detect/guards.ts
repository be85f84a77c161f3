// Guards before regular expressions that are written in the code: the literals that they need are looked for in one pass for all of
// them, and most texts hold none. A guarded expression answers as the bare one does.

import { Automaton, type Found } from './automaton.ts';
import { type Gate, numbered, passes } from './gates.ts';
import { literalsOf, needOf } from './literals.ts';

/** A set of expressions that are asked about the same texts. All of them are made before the first text is read. */
export class Guards {
  readonly #ids = new Map<string, number>();
  #automaton: Automaton | null = null;

  /** Guards an expression. */
  of(regex: RegExp): Guarded {
    const need = needOf(regex.source);
    for (const literal of literalsOf(need)) this.#ids.set(literal, this.#ids.get(literal) ?? this.#ids.size);
    this.#automaton = null;
    return new Guarded(regex, numbered(need, this.#ids), this);
  }

  /** What stands in a text, for all expressions of the set. */
  find(text: string): Found {
    this.#automaton ??= new Automaton(this.#ids, this.#ids.size);
    return this.#automaton.find(text);
  }
}

/** An expression with its guard. `found` is what the set finds in the text: give it where several expressions read one text. */
export class Guarded {
  readonly #regex: RegExp;
  readonly #gate: Gate;
  readonly #guards: Guards;

  constructor(regex: RegExp, gate: Gate, guards: Guards) {
    this.#regex = regex;
    this.#gate = gate;
    this.#guards = guards;
  }

  /** Whether the expression may match in the text or in any stretch of it. */
  admits(text: string, found: Found = this.#guards.find(text)): boolean {
    return passes(this.#gate, found);
  }

  /** For an expression without the `g` flag. */
  test(text: string, found: Found = this.#guards.find(text)): boolean {
    return passes(this.#gate, found) && this.#regex.test(text);
  }

  /** For an expression without the `g` flag. */
  exec(text: string, found: Found = this.#guards.find(text)): RegExpExecArray | null {
    return passes(this.#gate, found) ? this.#regex.exec(text) : null;
  }

  /** All matches; for an expression with the `g` flag. */
  all(text: string, found: Found = this.#guards.find(text)): Iterable<RegExpExecArray> {
    return passes(this.#gate, found) ? text.matchAll(this.#regex) : [];
  }
}
