// What counts as the same action: two steps with equal keys did the same, whatever they thought or how they spaced it.

/** A part of a step as far as its action goes: its calls, its text. Reasoning and observations are not part of an action. */
export interface ActionPart {
  readonly kind: 'text' | 'tool_call';
  /** Tool of a call. */
  readonly name: string | null;
  /** Text of the part; of a call its arguments, JSON where the log has JSON. */
  readonly text: string;
}

/**
 * The key of a step: its tool calls (tool and arguments, keys of objects in order, white space squeezed), or its text where it
 * calls nothing. Text beside a call is commentary and left out: sampled policies word it anew while doing the same.
 */
export function actionKey(parts: readonly ActionPart[]): string {
  const calls = parts.filter(({ kind }) => kind === 'tool_call');
  if (calls.length > 0) return JSON.stringify(calls.map(({ name, text }) => [name, normalisedArguments(text)]));
  return JSON.stringify(parts.map(({ text }) => squeezed(text)).filter((text) => text !== ''));
}

/** Depth at which nested arguments are compared as they stand. */
const deepest = 64;

function normalisedArguments(text: string): unknown {
  try {
    return normalised(JSON.parse(text), 0);
  } catch {
    return squeezed(text);
  }
}

function normalised(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return squeezed(value);
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((each) => normalised(each, depth + 1));
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, each]) => [name, normalised(each, depth + 1)]);
}

/** White space at line ends and around is nothing; runs of spaces are one. Line breaks stay: they mean something in code. */
function squeezed(text: string): string {
  return text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\r?\n ?/g, '\n')
    .trim();
}
