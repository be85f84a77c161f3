// Result: a value or an error as data, for functions whose failure is an ordinary answer.

/** Either `{ok: true, value}` or `{ok: false, error}`. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** Wraps a value. */
export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

/** Wraps an error. */
export function err<E>(error: E): Result<never, E> {
  return { ok: false, error };
}
