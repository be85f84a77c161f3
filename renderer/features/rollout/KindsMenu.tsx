// The kinds of a hack as a menu of keys: press them, Enter closes.

import type { KeyboardEvent, ReactNode } from 'react';
import { type KindChoice, toggleByKey, toggleKind } from './kinds.ts';

/** The menu's content. */
export function KindsMenu(props: {
  /** Those of the label schema in force. */
  readonly kinds: readonly KindChoice[];
  readonly chosen: readonly string[];
  readonly onChange: (kinds: readonly string[]) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { kinds, chosen, onChange, onClose } = props;
  const groups = Map.groupBy(kinds, (choice) => choice.group);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onClose();
      return;
    }
    const next = event.key.length === 1 ? toggleByKey(kinds, chosen, event.key) : null;
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: letters work wherever the focus is within the menu
    <div className="kinds" onKeyDown={onKeyDown} data-own-keys="">
      {[...groups].map(([group, choices]) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {choices.map((choice) => (
            <button
              key={choice.kind}
              type="button"
              className="kind"
              aria-pressed={chosen.includes(choice.kind)}
              title={choice.title}
              onClick={() => onChange(toggleKind(chosen, choice.kind))}
            >
              {choice.key === null ? <span className="no-kind-key" /> : <kbd>{choice.key}</kbd>} {choice.kind}
            </button>
          ))}
        </fieldset>
      ))}
      {chosen
        .filter((kind) => !kinds.some((choice) => choice.kind === kind))
        .map((kind) => (
          <button
            key={kind}
            type="button"
            className="kind"
            aria-pressed="true"
            onClick={() => onChange(chosen.filter((one) => one !== kind))}
          >
            {kind} (not in the label schema)
          </button>
        ))}
    </div>
  );
}
