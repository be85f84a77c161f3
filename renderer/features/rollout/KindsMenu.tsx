// The kinds of a hack as a menu of letters: press them, Enter closes.

import type { KeyboardEvent, ReactNode } from 'react';
import { hackFamilyNames } from '../../../app/contract/index.ts';
import { kindChoices, toggleByLetter } from './kinds.ts';

/** The menu's content. */
export function KindsMenu(props: {
  readonly chosen: readonly string[];
  readonly onChange: (kinds: readonly string[]) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { chosen, onChange, onClose } = props;
  const families = Map.groupBy(kindChoices, (choice) => choice.family);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onClose();
      return;
    }
    const next = event.key.length === 1 ? toggleByLetter(chosen, event.key) : null;
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: letters work wherever the focus is within the menu
    <div className="kinds" onKeyDown={onKeyDown} data-own-keys="">
      {[...families].map(([family, choices]) => (
        <fieldset key={family}>
          <legend>
            <span className="mono faint">{family}</span> {hackFamilyNames[family]}
          </legend>
          {choices.map((choice) => (
            <button
              key={choice.kind}
              type="button"
              className="kind"
              aria-pressed={chosen.includes(choice.kind)}
              onClick={() => onChange(toggleByLetter(chosen, choice.letter) ?? chosen)}
            >
              <kbd>{choice.letter}</kbd> {choice.kind}
            </button>
          ))}
        </fieldset>
      ))}
      {chosen
        .filter((kind) => !kindChoices.some((choice) => choice.kind === kind))
        .map((kind) => (
          <button
            key={kind}
            type="button"
            className="kind"
            aria-pressed="true"
            onClick={() => onChange(chosen.filter((one) => one !== kind))}
          >
            {kind} (not in this version's list)
          </button>
        ))}
    </div>
  );
}
