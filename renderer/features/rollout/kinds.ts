// The kinds of a hack as the label schema in force lists them. Their keys are those of the review screen: a key means one thing.

import type { LabelSchema } from '../../../app/contract/index.ts';

export type KindChoice = LabelSchema['kinds'][number];

/** The chosen kinds with one added, or taken away where it was there. */
export function toggleKind(chosen: readonly string[], kind: string): string[] {
  return chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
}

/** The same for the kind that a key stands for; null for the key of none. Upper and lower case are two keys. */
export function toggleByKey(choices: readonly KindChoice[], chosen: readonly string[], key: string): string[] | null {
  const choice = choices.find((one) => one.key === key);
  return choice === undefined ? null : toggleKind(chosen, choice.kind);
}
