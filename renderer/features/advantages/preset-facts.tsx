// What stands behind a preset: its sources, and which parts of it are settled, chosen here, or not settled.

import type { ReactNode } from 'react';
import type { PresetInfo } from '../../../app/contract/index.ts';
import { presetByName } from '../../../app/domain/advantage/presets.ts';
import { formatParameter } from '../../ui/parameters/parameter-words.ts';

/** The facts; nothing for a name that is none. `parameters` false where a form shows them. */
export function PresetFacts({
  name,
  parameters = true,
}: {
  readonly name: string;
  readonly parameters?: boolean;
}): ReactNode {
  const preset = presetByName(name);
  if (preset === undefined) return null;
  return (
    <>
      <p className="adv-preset-title">{preset.title}</p>
      <dl className="facts adv-preset">
        {parameters && (
          <>
            <dt>estimator</dt>
            <dd className="mono">{preset.estimator}</dd>
            <dt>parameters</dt>
            <dd>{parametersOf(preset)}</dd>
          </>
        )}
        <dt>sources</dt>
        <dd>
          <ul>
            {preset.sources.map((source) => (
              <li key={source}>{source}</li>
            ))}
          </ul>
        </dd>
        <Part name="settled" text={preset.settled} />
        <Part name="chosen" text={preset.chosen} />
        <Part name="unsettled" text={preset.unsettled} />
      </dl>
    </>
  );
}

function parametersOf(preset: PresetInfo): ReactNode {
  const given = Object.entries(preset.params);
  if (given.length === 0) return 'all at their defaults';
  return given.map(([name, value]) => (
    <span key={name} className="adv-parameter">
      <span className="mono">{name}</span> {formatParameter(value)}
    </span>
  ));
}

function Part(props: { readonly name: string; readonly text: string }): ReactNode {
  return (
    <>
      <dt>{props.name}</dt>
      <dd className={props.text === '' ? 'faint' : undefined}>{props.text === '' ? 'nothing' : props.text}</dd>
    </>
  );
}
