// Making one filter: choose a column, an operator and a value (with the values that occur and how often), or type the
// whole expression.

import { type FormEvent, useState } from 'react';
import type { Clause, Condition, Filter, FilterOp, RolloutColumn } from '../../../app/contract/index.ts';
import { formatFilter, parseFilter } from '../../../app/domain/filter/filter.ts';
import { useFacets } from '../../data/library.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/states.tsx';
import { columnInfo, columnsByUse } from './column-info.ts';
import { operatorsOf, operatorWords } from './condition-text.ts';

/** The editor; `initial` is the clause to change, null to make one. Alternatives are edited as text. */
export function FilterEditor(props: { readonly initial: Clause | null; readonly onApply: (clauses: Filter) => void }) {
  const { initial } = props;
  const condition = initial === null || 'any' in initial ? null : initial;
  const [column, setColumn] = useState<RolloutColumn | null>(condition?.column ?? null);
  return column === null ? (
    <ColumnChooser
      text={initial === null ? '' : formatFilter([initial])}
      onColumn={setColumn}
      onExpression={props.onApply}
    />
  ) : (
    <ConditionForm
      key={column}
      column={column}
      initial={condition?.column === column ? condition : null}
      onBack={() => setColumn(null)}
      onApply={(made) => props.onApply([made])}
    />
  );
}

function ColumnChooser(props: {
  /** The filter to begin with. */
  readonly text: string;
  readonly onColumn: (column: RolloutColumn) => void;
  readonly onExpression: (where: Filter) => void;
}) {
  const [text, setText] = useState(props.text);
  const query = text.trim().toLowerCase();
  const matches = columnsByUse.filter(
    (column) => columnInfo[column].title.toLowerCase().includes(query) || column.toLowerCase().includes(query),
  );
  const parsed = query === '' ? null : parseFilter(text);
  const expression = parsed?.ok === true && parsed.value.where.length > 0 ? parsed.value.where : null;
  const looksTyped = /[=<>~!]|\bis\b/.test(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = matches[0];
    if (expression !== null) props.onExpression(expression);
    else if (first !== undefined) props.onColumn(first);
  };
  return (
    <form className="filter-editor" onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the popover was opened to type here
        autoFocus
        className="field mono"
        aria-label="Column, or a whole filter"
        aria-describedby="filter-typing"
        placeholder="column, or label is none or label = clean"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div id="filter-typing">
        {expression !== null ? (
          <Button type="submit" variant="primary">
            {expression.length === 1 ? 'Apply this filter' : `Apply these ${expression.length} filters`}
          </Button>
        ) : (
          looksTyped && parsed?.ok === false && <p className="field-error">{parsed.error.message}</p>
        )}
      </div>
      <ul className="filter-columns" aria-label="Columns">
        {matches.map((column) => (
          <li key={column}>
            <button type="button" className="filter-choice" onClick={() => props.onColumn(column)}>
              <span>{columnInfo[column].title}</span>
              <span className="faint">{columnInfo[column].help}</span>
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}

function ConditionForm(props: {
  readonly column: RolloutColumn;
  readonly initial: Condition | null;
  readonly onBack: () => void;
  readonly onApply: (condition: Condition) => void;
}) {
  const { column } = props;
  const info = columnInfo[column];
  const operators = operatorsOf[info.type];
  const [op, setOp] = useState<FilterOp>(props.initial?.op ?? operators[0] ?? '=');
  const [text, setText] = useState(props.initial?.value === undefined ? '' : String(props.initial.value ?? ''));
  const valueless = op === 'none' || op === 'some';
  const value = valueless ? null : readValue(text, info.type);
  const valid = valueless || value !== undefined;
  const apply = (withOp: FilterOp, withValue: Condition['value']): void =>
    props.onApply({ column, op: withOp, value: withValue });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (valid) apply(op, value ?? null);
  };
  return (
    <form className="filter-editor" onSubmit={submit}>
      <div className="filter-head">
        <Button variant="quiet" icon aria-label="Back to the columns" onClick={props.onBack}>
          <Icon name="left" />
        </Button>
        <b>{info.title}</b>
        <Select
          label="Operator"
          value={op}
          onChange={setOp}
          options={operators.map((operator) => ({ value: operator, label: operatorWords[operator] }))}
        />
      </div>
      {!valueless && info.type !== 'flag' && (
        <div className="filter-value">
          <input
            // biome-ignore lint/a11y/noAutofocus: the popover was opened to type here
            autoFocus
            className="field"
            aria-label={`Value of ${info.title}`}
            inputMode={info.type === 'number' ? 'decimal' : 'text'}
            aria-invalid={text !== '' && !valid}
            placeholder={info.type === 'number' ? 'a number' : 'a text'}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" variant="primary" disabled={!valid}>
            Apply
          </Button>
        </div>
      )}
      {valueless && (
        <Button type="submit" variant="primary">
          Apply
        </Button>
      )}
      {info.type === 'flag' ? (
        <div className="filter-value">
          <Button onClick={() => apply('=', true)}>Yes</Button>
          <Button onClick={() => apply('=', false)}>No</Button>
        </div>
      ) : (
        !valueless && (
          <Facets
            column={column}
            contains={text}
            onChoose={(chosen) =>
              chosen === null ? apply('none', null) : apply(op === '~' || op === '!~' ? '=' : op, chosen)
            }
          />
        )
      )}
    </form>
  );
}

/** The value of a typed text; undefined when it is not one of the column's type. */
function readValue(text: string, type: 'text' | 'number' | 'choice' | 'flag'): Condition['value'] | undefined {
  if (type !== 'number') return text === '' ? undefined : text;
  const number = Number(text.replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

function Facets(props: {
  readonly column: RolloutColumn;
  readonly contains: string;
  readonly onChoose: (value: string | number | null) => void;
}) {
  const facets = useFacets(props.column);
  if (facets.isPending) return <Spinner label="Loading values" />;
  const query = props.contains.trim().toLowerCase();
  const shown = (facets.data ?? []).filter((facet) =>
    String(facet.value ?? 'none')
      .toLowerCase()
      .includes(query),
  );
  if (shown.length === 0) return null;
  return (
    <ul className="filter-columns" aria-label="Values that occur">
      {shown.map((facet) => (
        <li key={String(facet.value)}>
          <button type="button" className="filter-choice" onClick={() => props.onChoose(facet.value)}>
            <span className="ellipsis">{facet.value === null ? <i>none</i> : String(facet.value)}</span>
            <span className="faint">{formatCount(facet.count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
