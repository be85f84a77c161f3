// Errors that reach a person: a stable code, what happened and what to do. One class, so that every layer can tell
// a refusal (expected, explained) from a fault (a bug).

/** A refusal with a stable code. `message` says what happened and where; `hint` says the way on. */
export class Refusal extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.hint = hint;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
