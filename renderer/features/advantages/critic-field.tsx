// Where critic values come from: what was logged, or one of the stand-ins. A file is joined in a dialog of its own.

import { type ReactNode, useState } from 'react';
import type { CriticStandIn } from '../../../app/contract/index.ts';
import { useValueSets } from '../../data/advantages.ts';
import { formatCritic, parseCritic } from '../../data/critic-choice.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { ValuesDialog } from './values-dialog.tsx';

const files = 'files';

const standIns: readonly SelectOption<string>[] = [
  { value: 'logged', label: 'logged values', detail: 'where the log has none, GAE is refused' },
  { value: 'none', label: 'no critic', detail: 'GAE is refused, never computed with zeros' },
  { value: 'constant', label: 'a constant', detail: 'the same value for every token' },
  { value: 'group-mean', label: 'the group’s mean reward', detail: 'this rollout included' },
];

/** The field. */
export function CriticField(props: {
  readonly critic: CriticStandIn;
  readonly onChange: (critic: string | undefined) => void;
}): ReactNode {
  const { critic, onChange } = props;
  const sets = useValueSets().data ?? [];
  const [dialog, setDialog] = useState(false);
  const joined = critic.kind === 'file' ? sets.find(({ id }) => id === critic.values) : undefined;
  const value = critic.kind === 'file' ? `file:${critic.values}` : critic.kind;
  const options: SelectOption<string>[] = [
    ...standIns,
    ...sets.map(({ id, name, tokens }) => ({
      value: `file:${id}`,
      label: name,
      detail: `joined values of ${formatCount(tokens)} tokens`,
    })),
    ...(critic.kind === 'file' && joined === undefined
      ? [{ value, label: 'a file that was taken out', detail: 'join it again' }]
      : []),
    { value: files, label: 'a values file…', detail: 'join one, or look at those that are joined' },
  ];
  const choose = (next: string): void => {
    if (next === files) setDialog(true);
    else if (next === 'constant') onChange('constant:0');
    else onChange(formatCritic(parseCritic(next)));
  };
  return (
    <div className="adv-field">
      <span className="adv-label">critic</span>
      <Select label="Where critic values come from" value={value} options={options} onChange={choose} />
      {critic.kind === 'constant' && (
        <Constant value={critic.value} onChange={(next) => onChange(`constant:${next}`)} />
      )}
      {joined !== undefined && (
        <Button variant="quiet" onClick={() => setDialog(true)}>
          {formatCount(joined.segments)} joined, {formatCount(joined.unmatched.count)} not
        </Button>
      )}
      {dialog && (
        <ValuesDialog
          chosen={critic.kind === 'file' ? critic.values : undefined}
          onChoose={(id) => onChange(id === undefined ? undefined : `file:${id}`)}
          onClose={() => setDialog(false)}
        />
      )}
    </div>
  );
}

function Constant(props: { readonly value: number; readonly onChange: (value: number) => void }): ReactNode {
  const [text, setText] = useState(String(props.value));
  const value = Number(text);
  const good = text.trim() !== '' && Number.isFinite(value);
  return (
    <input
      className="field adv-constant"
      aria-label="Value of the constant critic"
      aria-invalid={!good}
      inputMode="decimal"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => good && value !== props.value && props.onChange(value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && good) props.onChange(value);
      }}
    />
  );
}
