// The hack kinds by family, each with a letter of its own for the kinds menu.

import { type HackFamily, type HackKind, hackFamilyNames, hackKinds, isHackKind } from '../../../app/contract/index.ts';

export interface KindChoice {
  readonly kind: HackKind;
  readonly family: HackFamily;
  readonly familyName: string;
  readonly letter: string;
}

/** All kinds in the order of the vocabulary, lettered a, b, c... */
export const kindChoices: readonly KindChoice[] = Object.keys(hackKinds)
  .filter(isHackKind)
  .map((kind, index) => ({
    kind,
    family: hackKinds[kind],
    familyName: hackFamilyNames[hackKinds[kind]],
    letter: String.fromCharCode(97 + index),
  }));

/** The kinds after a letter was pressed: added, or taken away where they were there. Null for no kind's letter. */
export function toggleByLetter(chosen: readonly string[], letter: string): string[] | null {
  const choice = kindChoices.find((one) => one.letter === letter.toLowerCase());
  if (choice === undefined) return null;
  return chosen.includes(choice.kind) ? chosen.filter((one) => one !== choice.kind) : [...chosen, choice.kind];
}
