// What the task forbids and grants, as read from its text or as people edited it. An edit is a new version and scores the task's
// rollouts anew.

import { type ReactNode, useState } from 'react';
import type { ContractClause, TaskContract, TaskContractState } from '../../../app/contract/index.ts';
import { useSetTaskContract, useTaskContract } from '../../data/judge.ts';
import { useHello } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment, plural } from '../../ui/format.ts';
import { useScreen } from './screen-context.ts';
import './judgement.css';

/** The panel. */
export function TaskContractPanel(): ReactNode {
  const { id } = useScreen();
  const contract = useTaskContract(id);
  const [editing, setEditing] = useState(false);
  const readOnly = useHello()?.capabilities.readOnly ?? true;
  if (contract.data === undefined) return null;
  const state = contract.data;
  return (
    <section aria-labelledby="contract-title">
      <h2 id="contract-title" className="section-title">
        Task contract
        <span className="aside">
          {!editing && !readOnly && (
            <button type="button" className="link" onClick={() => setEditing(true)}>
              Edit
            </button>
          )}
        </span>
      </h2>
      {editing ? (
        <Editor key={state.edits[0]?.version ?? 0} rollout={id} state={state} onDone={() => setEditing(false)} />
      ) : (
        <Terms state={state} />
      )}
    </section>
  );
}

function Terms({ state }: { readonly state: TaskContractState }): ReactNode {
  const { inForce, edits } = state;
  const [newest] = edits;
  const edited = newest !== undefined && newest.contract !== null;
  return (
    <div className="contract">
      <Clauses title="Forbids" clauses={inForce.forbids} />
      <Clauses title="Grants" clauses={inForce.grants} />
      <p className="faint">
        {edited
          ? `Version ${newest.version} by ${newest.annotator}, ${formatMoment(newest.at)}`
          : 'As read from the text of the task'}
        {state.named ? ` · ${plural(state.rollouts, 'rollout')} of ${state.task}` : ' · this rollout only'}
      </p>
    </div>
  );
}

function Clauses(props: { readonly title: string; readonly clauses: readonly ContractClause[] }): ReactNode {
  return (
    <>
      <h3>{props.title}</h3>
      {props.clauses.length === 0 ? (
        <p className="faint">nothing</p>
      ) : (
        <ul>
          {props.clauses.map(({ what, quote }) => (
            <li key={`${what} ${quote}`}>
              {what}
              {quote !== '' && quote !== what && <q className="muted">{quote}</q>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Editor(props: {
  readonly rollout: string;
  readonly state: TaskContractState;
  readonly onDone: () => void;
}): ReactNode {
  const { state, onDone } = props;
  const [forbids, setForbids] = useState(() => linesOf(state.inForce.forbids));
  const [grants, setGrants] = useState(() => linesOf(state.inForce.grants));
  const save = useSetTaskContract();
  const [newest] = state.edits;
  const put = (contract: TaskContract | null): void =>
    save.mutate({ rollout: props.rollout, contract, version: newest?.version ?? 0 }, { onSuccess: onDone });
  const known = [state.inForce, state.read].map((one) => [...one.forbids, ...one.grants]);
  return (
    <form
      className="contract"
      onSubmit={(event) => {
        event.preventDefault();
        put({ forbids: clausesOf(forbids, known), grants: clausesOf(grants, known) });
      }}
    >
      <label htmlFor="contract-forbids">Forbids, one per line</label>
      <textarea
        id="contract-forbids"
        className="field"
        rows={4}
        value={forbids}
        onChange={(event) => setForbids(event.target.value)}
      />
      <label htmlFor="contract-grants">Grants, one per line</label>
      <textarea
        id="contract-grants"
        className="field"
        rows={4}
        value={grants}
        onChange={(event) => setGrants(event.target.value)}
      />
      <p className="faint">
        {state.named
          ? `Holds for ${plural(state.rollouts, 'rollout')} of ${state.task}; they are scored anew.`
          : 'The log names no task: this holds for this rollout only.'}
      </p>
      <div className="contract-acts">
        <Button type="submit" variant="primary" disabled={save.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        {newest !== undefined && newest.contract !== null && (
          <Button variant="quiet" disabled={save.isPending} onClick={() => put(null)}>
            Back to the text
          </Button>
        )}
      </div>
    </form>
  );
}

function linesOf(clauses: readonly ContractClause[]): string {
  return [...new Set(clauses.map(({ what }) => what))].join('\n');
}

/** Lines as clauses. A line that is known keeps the task's words behind it, of the first list that has it. */
function clausesOf(text: string, known: readonly (readonly ContractClause[])[]): ContractClause[] {
  const lines = new Set(
    text
      .split('\n')
      .map((line) => line.trim().slice(0, 500))
      .filter((line) => line !== ''),
  );
  return [...lines]
    .flatMap((what) => {
      const same = known.map((list) => list.filter((one) => one.what === what)).find((list) => list.length > 0);
      return same ?? [{ what, quote: '' }];
    })
    .slice(0, 60);
}
