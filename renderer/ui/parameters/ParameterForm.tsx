// The parameters of an estimator as a form made from their descriptions. What is typed is checked before it is sent.

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { EstimatorInfo, ParameterInfo } from '../../../app/contract/index.ts';
import { Button } from '../button.tsx';
import { checkDraft, type Draft, draftOf, lambdaLengths, valueOfDraft } from './parameter-draft.ts';
import { adaptiveLambda, parameterSign } from './parameter-words.ts';
import './parameters.css';

/** The form. `values` are those in force; `onCompute` gets every parameter. Children stand below the estimator's description. */
export function ParameterForm(props: {
  readonly info: EstimatorInfo;
  readonly note: string | null;
  readonly values: ReadonlyMap<string, unknown>;
  readonly busy: boolean;
  /** What the button says; `Compute` unless told otherwise. */
  readonly submit?: string;
  readonly onCompute: (values: Record<string, unknown>) => void;
  readonly children?: ReactNode;
}): ReactNode {
  const { info, values, onCompute } = props;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(
    () => new Map(info.parameters.map((one) => [one.name, draftOf(one, values.get(one.name))])),
  );
  const problems = new Map(
    info.parameters.map((one) => [one.name, checkDraft(one, drafts.get(one.name) ?? draftOf(one, one.default))]),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ([...problems.values()].some((problem) => problem !== null)) return;
    const given: [string, unknown][] = info.parameters.map((one) => [
      one.name,
      valueOfDraft(drafts.get(one.name) ?? draftOf(one, one.default), values.get(one.name)),
    ]);
    onCompute(Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  };
  return (
    <form className="parameter-form" onSubmit={submit}>
      <h2>{info.title}</h2>
      <p className="muted">
        {info.summary} <span className="faint">{info.source}</span>
      </p>
      {props.note !== null && <p className="muted">{props.note}</p>}
      {props.children}
      {info.parameters.map((one) => (
        <Field
          key={one.name}
          parameter={one}
          draft={drafts.get(one.name) ?? draftOf(one, one.default)}
          problem={problems.get(one.name) ?? null}
          onChange={(draft) => setDrafts(new Map([...drafts, [one.name, draft]]))}
        />
      ))}
      <div className="parameter-acts">
        <Button
          variant="quiet"
          onClick={() => setDrafts(new Map(info.parameters.map((one) => [one.name, draftOf(one, one.default)])))}
        >
          Defaults
        </Button>
        <Button variant="primary" type="submit" disabled={props.busy}>
          {props.submit ?? 'Compute'}
        </Button>
      </div>
    </form>
  );
}

function Field(props: {
  readonly parameter: ParameterInfo;
  readonly draft: Draft;
  readonly problem: string | null;
  readonly onChange: (draft: Draft) => void;
}): ReactNode {
  const { parameter, draft, problem, onChange } = props;
  const id = useId();
  const help = `${id}-help`;
  const common = { id, className: 'field', 'aria-describedby': help, 'aria-invalid': problem !== null };
  return (
    <div className="parameter-field">
      <label htmlFor={id}>{parameterSign(parameter)}</label>
      <div className="parameter-input">
        {draft.kind === 'boolean' && (
          <input
            id={id}
            type="checkbox"
            aria-describedby={help}
            checked={draft.on}
            onChange={(event) => onChange({ kind: 'boolean', on: event.target.checked })}
          />
        )}
        {draft.kind === 'choice' && (
          <select
            {...common}
            value={draft.value}
            onChange={(event) => onChange({ kind: 'choice', value: event.target.value })}
          >
            {(parameter.choices ?? []).map((choice) => (
              <option key={choice} value={choice}>
                {choice.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        )}
        {draft.kind === 'number' && (
          <input
            {...common}
            inputMode="decimal"
            value={draft.text}
            onChange={(event) => onChange({ kind: 'number', text: event.target.value })}
          />
        )}
        {draft.kind === 'lambda' && (
          <LambdaFields parameter={parameter} draft={draft} common={common} onChange={onChange} />
        )}
      </div>
      <p id={help} className={problem === null ? 'faint' : 'field-error'}>
        {problem ?? parameter.help}
      </p>
    </div>
  );
}

/** λ as a number, or adapted to length: 1 − 1/(α·l). */
function LambdaFields(props: {
  readonly parameter: ParameterInfo;
  readonly draft: Extract<Draft, { kind: 'lambda' }>;
  readonly common: { readonly id: string; readonly className: string };
  readonly onChange: (draft: Draft) => void;
}): ReactNode {
  const { draft, common, onChange } = props;
  const initial = adaptiveLambda(props.parameter.default);
  return (
    <>
      <select
        {...common}
        value={draft.form}
        onChange={(event) => {
          const form = event.target.value === 'adaptive' ? 'adaptive' : 'number';
          onChange({ ...draft, form, alpha: draft.alpha === '' ? String(initial?.alpha ?? 1.5) : draft.alpha });
        }}
      >
        <option value="number">a number</option>
        <option value="adaptive">1 − 1/(α·l)</option>
      </select>
      {draft.form === 'number' ? (
        <input
          className="field"
          inputMode="decimal"
          aria-label="λ"
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.target.value })}
        />
      ) : (
        <>
          <input
            className="field short"
            inputMode="decimal"
            aria-label="α"
            title="α"
            value={draft.alpha}
            onChange={(event) => onChange({ ...draft, alpha: event.target.value })}
          />
          <select
            className="field"
            aria-label="What l counts"
            value={draft.length}
            onChange={(event) => onChange({ ...draft, length: event.target.value })}
          >
            {lambdaLengths.map((length) => (
              <option key={length} value={length}>
                l = {length.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </>
      )}
    </>
  );
}
