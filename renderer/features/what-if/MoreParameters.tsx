// The parameters that have no field of their own in the form.

import { type ReactNode, useId } from 'react';
import type { ParameterInfo } from '../../../app/contract/index.ts';
import { LambdaField } from './LambdaField.tsx';
import { NumberField } from './NumberSlider.tsx';

/** A list of fields with what each does. */
export function MoreParameters(props: {
  readonly parameters: readonly ParameterInfo[];
  readonly values: ReadonlyMap<string, unknown>;
  readonly onChange: (name: string, value: unknown) => void;
}): ReactNode {
  return (
    <div className="wi-more">
      {props.parameters.map((parameter) => (
        <Parameter
          key={parameter.name}
          parameter={parameter}
          value={props.values.get(parameter.name)}
          onChange={(value) => props.onChange(parameter.name, value)}
        />
      ))}
    </div>
  );
}

function Parameter(props: {
  readonly parameter: ParameterInfo;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}): ReactNode {
  const { parameter, value, onChange } = props;
  const id = useId();
  return (
    <div>
      <div className="wi-more-field">
        {parameter.type === 'choice' || parameter.type === 'boolean' ? (
          <label htmlFor={id}>{parameter.label}</label>
        ) : (
          <span>{parameter.label}</span>
        )}
        {parameter.type === 'boolean' && (
          <input
            id={id}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.target.checked)}
          />
        )}
        {parameter.type === 'choice' && (
          <select
            id={id}
            className="field"
            value={typeof value === 'string' ? value : 'none'}
            onChange={(event) => onChange(event.target.value)}
          >
            {(parameter.choices ?? []).map((choice) => (
              <option key={choice} value={choice}>
                {choice.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        )}
        {parameter.type === 'number' && (
          <NumberField
            label={parameter.label}
            value={typeof value === 'number' ? value : null}
            {...(parameter.min === undefined ? {} : { min: parameter.min })}
            {...(parameter.max === undefined ? {} : { max: parameter.max })}
            onChange={onChange}
          />
        )}
        {parameter.type === 'lambda' && <LambdaField label={parameter.label} value={value ?? 1} onChange={onChange} />}
      </div>
      <p className="faint">{parameter.help}</p>
    </div>
  );
}
