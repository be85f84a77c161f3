// The filters in force as chips, and the popover that adds or changes one.

import { useState } from 'react';
import type { Clause, Filter } from '../../../app/contract/index.ts';
import { useActions } from '../../actions.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Popover } from '../../ui/popover.tsx';
import { clauseText } from './condition-text.ts';
import { FilterEditor } from './filter-editor.tsx';

export interface FilterBarProps {
  readonly where: Filter;
  /** Why the text form in the URL could not be read; it is then not applied. */
  readonly problem: string | null;
  readonly search: string;
  readonly onWhere: (where: Filter) => void;
  readonly onSearch: (search: string) => void;
}

/** The bar. */
export function FilterBar({ where, problem, search, onWhere, onSearch }: FilterBarProps) {
  const [adding, setAdding] = useState(false);
  const clear = (): void => {
    onWhere([]);
    if (search !== '') onSearch('');
  };
  useActions('library', {
    addFilter: () => setAdding(true),
    clearFilters: { when: () => where.length > 0 || search !== '', run: clear },
  });
  return (
    <fieldset className="filters" aria-label="Filters">
      {search !== '' && (
        <span className="filter">
          <span className="filter-word">
            search <b>{search}</b>
          </span>
          <RemoveButton label={`Remove the search ${search}`} onClick={() => onSearch('')} />
        </span>
      )}
      {where.map((clause, index) => (
        <ClauseChip
          // biome-ignore lint/suspicious/noArrayIndexKey: clauses have no identity but their place; the same one may stand twice
          key={index}
          clause={clause}
          onChange={(next) => onWhere(where.toSpliced(index, 1, ...next))}
          onRemove={() => onWhere(where.toSpliced(index, 1))}
        />
      ))}
      <Popover
        open={adding}
        onOpenChange={setAdding}
        label="Add a filter"
        trigger={
          <button type="button" className="filter add">
            + filter <Kbd name="F" />
          </button>
        }
      >
        <FilterEditor
          initial={null}
          onApply={(clauses) => {
            setAdding(false);
            onWhere([...where, ...clauses]);
          }}
        />
      </Popover>
      {where.length + (search === '' ? 0 : 1) > 1 && (
        <Button variant="quiet" className="filter-clear" onClick={clear}>
          Clear
        </Button>
      )}
      {problem !== null && (
        <span className="field-error" role="alert">
          The filter in the address was not applied: {problem}
        </span>
      )}
    </fieldset>
  );
}

function ClauseChip(props: {
  readonly clause: Clause;
  /** What takes its place. */
  readonly onChange: (clauses: Filter) => void;
  readonly onRemove: () => void;
}) {
  const [open, setOpen] = useState(false);
  const { title, value } = clauseText(props.clause);
  const name = `${title} ${value}`.trim();
  return (
    <span className="filter">
      <Popover
        open={open}
        onOpenChange={setOpen}
        label={`Change the filter ${name}`}
        trigger={
          <button type="button" className="filter-word" title={name}>
            {title !== '' && <span>{title.toLowerCase()}</span>} <b className="filter-text">{value}</b>
          </button>
        }
      >
        <FilterEditor
          initial={props.clause}
          onApply={(clauses) => {
            setOpen(false);
            props.onChange(clauses);
          }}
        />
      </Popover>
      <RemoveButton label={`Remove the filter ${name}`} onClick={props.onRemove} />
    </span>
  );
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="filter-remove" aria-label={label} onClick={onClick}>
      <Icon name="close" size={12} />
    </button>
  );
}
