// Assertions for what the program itself must keep true. Bad input is never an assertion: it is an alert or a Result.

/** Makes a `switch` over a union exhaustive: adding a member without a case fails to compile. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

/** Throws when an invariant of our own is broken. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}

/** Returns the value, or throws when it is null or undefined although our own code guarantees it. */
export function defined<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Invariant broken: ${what} is missing`);
  return value;
}
