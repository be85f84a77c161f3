// λ as a number, or adapted to a length: 1 − 1/(α·l).

import type { ReactNode } from 'react';
import { Select } from '../../ui/select.tsx';
import { NumberSlider } from './NumberSlider.tsx';
import { adaptiveOf } from './parameters.ts';

const lengths = ['segment_trainable', 'rollout_trainable', 'segment_tokens'] as const;
const forms = [
  { value: 'number', label: 'a number' },
  ...lengths.map((length) => ({ value: length, label: `1−1/(α·${short(length)})` })),
];

function short(length: (typeof lengths)[number]): string {
  return { segment_trainable: 'nₛ', rollout_trainable: 'N', segment_tokens: 'Tₛ' }[length];
}

const helps = {
  segment_trainable: 'nₛ: trainable tokens of the segment',
  rollout_trainable: 'N: trainable tokens of the rollout',
  segment_tokens: 'Tₛ: all tokens of the segment',
} as const;

/** The field. A change of form starts at λ 0.95 or α 1.5. */
export function LambdaField(props: {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}): ReactNode {
  const { label, value, onChange } = props;
  const adaptive = adaptiveOf(value);
  return (
    <>
      <Select
        label={`Form of ${label}`}
        value={adaptive?.length ?? 'number'}
        options={forms.map((form) => ({ ...form, ...detailOf(form.value) }))}
        onChange={(form) =>
          onChange(
            form === 'number' ? 0.95 : { mode: 'length_adaptive', alpha: adaptive?.alpha ?? 1.5, length: form, max: 1 },
          )
        }
      />
      {adaptive === null ? (
        <NumberSlider
          label={label}
          value={typeof value === 'number' ? value : 1}
          min={0}
          max={1}
          step={0.001}
          onChange={onChange}
        />
      ) : (
        <NumberSlider
          label={`α in ${label}`}
          value={adaptive.alpha}
          min={0.01}
          max={4}
          step={0.01}
          onChange={(alpha) => onChange({ mode: 'length_adaptive', ...adaptive, alpha, max: 1 })}
        />
      )}
    </>
  );
}

function detailOf(form: string): { readonly detail?: string } {
  const length = lengths.find((one) => one === form);
  return length === undefined ? {} : { detail: helps[length] };
}
