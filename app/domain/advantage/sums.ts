// Compensated sums, so that statistics over millions of tokens keep float64 accuracy.

/** A running sum with Neumaier's correction: the rounding error of each addition is kept and added at the end. */
export class NeumaierSum {
  #sum = 0;
  #lost = 0;

  add(x: number): void {
    const next = this.#sum + x;
    this.#lost += Math.abs(this.#sum) >= Math.abs(x) ? this.#sum - next + x : x - next + this.#sum;
    this.#sum = next;
  }

  get value(): number {
    const total = this.#sum + this.#lost;
    // After an overflow the correction is NaN; the plain sum tells the truth (an infinity).
    return Number.isNaN(total) ? this.#sum : total;
  }
}

/** Compensated sum of a list; 0 for an empty one. */
export function sum(xs: ArrayLike<number>): number {
  const total = new NeumaierSum();
  for (let i = 0; i < xs.length; i += 1) total.add(xs[i] ?? 0);
  return total.value;
}

/** Mean of a list; NaN for an empty one. A list of equal numbers has exactly that number as its mean. */
export function mean(xs: ArrayLike<number>): number {
  if (xs.length === 0) return Number.NaN;
  return allEqual(xs) ? (xs[0] ?? Number.NaN) : sum(xs) / xs.length;
}

/** Sum of squared distances from the mean over (n - ddof); NaN when n <= ddof. Two passes, so it is never negative. */
export function variance(xs: ArrayLike<number>, ddof: number): number {
  if (xs.length - ddof <= 0) return Number.NaN;
  const centre = mean(xs);
  const total = new NeumaierSum();
  for (let i = 0; i < xs.length; i += 1) {
    const d = (xs[i] ?? 0) - centre;
    total.add(d * d);
  }
  return total.value / (xs.length - ddof);
}

/** Whether all numbers are the same; true for an empty list. */
export function allEqual(xs: ArrayLike<number>): boolean {
  const first = xs[0];
  for (let i = 1; i < xs.length; i += 1) if (xs[i] !== first) return false;
  return true;
}
