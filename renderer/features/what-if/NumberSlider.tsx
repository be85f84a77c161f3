// A figure as a slider with a field beside it: arrow keys move the one, digits go into the other.

import { type ReactNode, useState } from 'react';

/** The pair. The field keeps what is typed while it is no number in range, and says so. */
export function NumberSlider(props: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}): ReactNode {
  const { label, value, min, max, step } = props;
  return (
    <span className="wi-slider">
      <input
        type="range"
        aria-label={`${label}, slider`}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => props.onChange(Number(event.target.value))}
      />
      <NumberField label={label} value={value} min={min} max={max} onChange={props.onChange} />
    </span>
  );
}

/** A field for a number; with `empty`, no text stands for null and shows that placeholder. */
export function NumberField(props: {
  readonly label: string;
  readonly value: number | null;
  readonly min?: number;
  readonly max?: number;
  readonly empty?: { readonly text: string; readonly onEmpty: () => void };
  readonly onChange: (value: number) => void;
}): ReactNode {
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? (props.value === null ? '' : String(props.value));
  const check = (typed: string): number | null => {
    const value = Number(typed);
    if (typed.trim() === '' || !Number.isFinite(value)) return null;
    return value < (props.min ?? value) || value > (props.max ?? value) ? null : value;
  };
  const wrong = draft !== null && check(draft) === null && !(draft.trim() === '' && props.empty !== undefined);
  return (
    <input
      className="field wi-number"
      inputMode="decimal"
      aria-label={props.label}
      aria-invalid={wrong}
      title={wrong ? rangeText(props.min, props.max) : undefined}
      placeholder={props.empty?.text}
      value={text}
      onChange={(event) => {
        const typed = event.target.value;
        setDraft(typed);
        const value = check(typed);
        if (value !== null) props.onChange(value);
        else if (typed.trim() === '') props.empty?.onEmpty();
      }}
      onBlur={() => setDraft(null)}
    />
  );
}

function rangeText(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return 'This must be a number.';
  return max === undefined
    ? `This must be a number of at least ${min}.`
    : `This must be a number from ${min} to ${max}.`;
}
