// A few numbers that the filter's thread and its supervisor both see, so that a rule that does not come back can be named while
// it runs: the thread cannot answer then.

const ruleAt = 0;
const [ruleSinceAt, lineSinceAt, charactersAt] = [0, 1, 2];

export class SharedCell {
  readonly buffer: SharedArrayBuffer;
  readonly #integers: Int32Array;
  readonly #numbers: Float64Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(32)) {
    this.buffer = buffer;
    this.#integers = new Int32Array(buffer, 0, 2);
    this.#numbers = new Float64Array(buffer, 8, 3);
  }

  /** A line is taken up. */
  beginLine(): void {
    this.#numbers[charactersAt] = 0;
    this.#numbers[lineSinceAt] = Date.now();
  }

  beginScan(characters: number): void {
    this.#numbers[charactersAt] = characters;
  }

  /** A rule starts, by its index in the pack. */
  beginRule(index: number): void {
    this.#numbers[ruleSinceAt] = Date.now();
    Atomics.store(this.#integers, ruleAt, index + 1);
  }

  /** The line is answered. */
  endLine(): void {
    Atomics.store(this.#integers, ruleAt, 0);
    this.#numbers[lineSinceAt] = 0;
  }

  /** What runs now, since when (milliseconds of the clock), and over how many characters; null between lines. */
  running(): {
    readonly rule: number | null;
    readonly ruleSince: number;
    readonly lineSince: number;
    readonly characters: number;
  } | null {
    const lineSince = this.#numbers[lineSinceAt] ?? 0;
    if (lineSince === 0) return null;
    const rule = Atomics.load(this.#integers, ruleAt);
    return {
      rule: rule === 0 ? null : rule - 1,
      ruleSince: this.#numbers[ruleSinceAt] ?? 0,
      lineSince,
      characters: this.#numbers[charactersAt] ?? 0,
    };
  }
}
