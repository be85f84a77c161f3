// Where sequences of actions part. Sequences are numbers; equal numbers are equal actions.

/** Length of the common prefix of two sequences. */
export function commonPrefix(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

/**
 * Steps that all of the sequences take alike from the start: the first one after them is the group's first divergence. For a
 * single sequence that is its whole length; 0 for none.
 */
export function commonToAll(sequences: readonly ArrayLike<number>[]): number {
  const [first, ...rest] = sequences;
  if (first === undefined) return 0;
  return rest.reduce((least, sequence) => Math.min(least, commonPrefix(first, sequence)), first.length);
}

/** Whether two sequences are the same to their ends: there is nothing at which they part. */
export function sameToTheEnd(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && commonPrefix(a, b) === a.length;
}

/**
 * Numbers for the steps of several sequences such that two have the same number at a step exactly when their keys are the same up
 * to and with it. `keyOf` is asked only for steps that can still be shared: where a sequence has parted from all others its steps
 * are new numbers, and their keys, whose texts may be long, are never made.
 */
export function prefixNumbers(
  lengths: readonly number[],
  keyOf: (sequence: number, step: number) => string,
): number[][] {
  const numbers = lengths.map((length) => new Array<number>(length).fill(-1));
  let next = 0;
  let together: readonly (readonly number[])[] = [[...lengths.keys()]];
  for (let step = 0; together.length > 0; step += 1) {
    const still: number[][] = [];
    for (const cluster of together) {
      const here = cluster.filter((sequence) => step < (lengths[sequence] ?? 0));
      if (here.length < 2) continue;
      const byKey = new Map<string, number[]>();
      for (const sequence of here) {
        const key = keyOf(sequence, step);
        const same = byKey.get(key);
        if (same === undefined) byKey.set(key, [sequence]);
        else same.push(sequence);
      }
      for (const same of byKey.values()) {
        for (const sequence of same) setAt(numbers[sequence], step, next);
        next += 1;
        if (same.length > 1) still.push(same);
      }
    }
    together = still;
  }
  return numbers.map((ofSequence) =>
    ofSequence.map((number) => {
      if (number >= 0) return number;
      next += 1;
      return next - 1;
    }),
  );
}

function setAt(list: number[] | undefined, at: number, value: number): void {
  if (list !== undefined) list[at] = value;
}
