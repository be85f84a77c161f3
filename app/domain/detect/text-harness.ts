// Harnesses that carry calls in the assistant's text carry the answers in messages of the user's role. Read as such they would be
// terms of the task; here they become the observations that they are. Spans stay as they were: only the kind of a part changes.

import type { ScanPart } from './types.ts';

/** How an answer begins. */
const answer =
  /^\s*(?:\W{0,3}(?:observation|output|results?|stdout|stderr|tool[ _]?(?:output|result|response)|execution result|command output|response|returned|console|exit code|returncode)\b[^\n]{0,40}?[:>\]#*]|<\/?(?:results?|outputs?|observation|tool_?(?:result|response|output)|function_results?|returncode|stdout|response|execution\w*|interpreter)\b)/i;
/** A call in text that cannot be a suggestion to a person. */
const call =
  /^\s*(?:\*\*)?Action(?: Input)?(?:\*\*)?\s*:|<(?:tool|tool_call|tool_use|function|function_calls?|invoke|action|execute_\w+|bash|sh|shell|command|run|execute|cmd)\b[^>]*>|<function=|"(?:keystrokes|command|cmd|action|tool)"\s*:/im;

/** The same part seen again gives the same object, so that what is known of it is found. */
const made = new WeakMap<ScanPart, ScanPart>();

/** The parts with answers to calls in text as observations; the array itself where there are none. */
export function withTextAnswers(parts: readonly ScanPart[]): readonly ScanPart[] {
  if (parts.some(({ kind }) => kind === 'tool_call')) return parts;
  let changed: ScanPart[] | null = null;
  let before: ScanPart | null = null;
  for (const [i, part] of parts.entries()) {
    const isAnswer =
      part.role === 'user' &&
      part.kind === 'text' &&
      !part.compactionSummary &&
      before !== null &&
      before.role === 'assistant' &&
      (answer.test(part.text) ||
        (call.test(before.text) && part.text.length > 0 && !/^\s*(?:please|thanks|no,|yes,)/i.test(part.text)));
    if (isAnswer && before !== null) {
      changed ??= [...parts];
      const known: ScanPart = made.get(part) ?? {
        ...part,
        kind: 'observation',
        role: 'tool',
        itemKind: 'step',
        step: before.step,
      };
      made.set(part, known);
      changed[i] = known;
    }
    if (part.kind === 'text') before = part;
  }
  return changed ?? parts;
}
