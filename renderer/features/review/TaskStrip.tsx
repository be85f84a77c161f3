// Two lines that are always there: the task, and what it forbids and grants. The whole of both is one key away.

import type { ReactNode } from 'react';
import type { ContractClause } from '../../../app/contract/index.ts';
import { useTaskContract } from '../../data/judge.ts';
import { Button } from '../../ui/button.tsx';
import { formatNumber, formatTokens, plural } from '../../ui/format.ts';
import { switchView, useDesk } from './desk-context.ts';

/** The strip with the views of the item. Where the task is looked at it is all there, else in two lines. */
export function TaskStrip(): ReactNode {
  const { item, view, reading } = useDesk();
  const whole = view === 'about';
  const contract = useTaskContract(item.target.rollout).data?.inForce;
  const { rollout } = item;
  if (rollout === null) return null;
  const forbids = wordsOf(contract?.forbids ?? []);
  const grants = wordsOf(contract?.grants ?? []);
  return (
    <section className={`task-strip${whole ? ' whole' : ''}`} aria-label="Task and contract">
      <p>
        <b>Task</b> {rollout.task ?? 'not named by the log'}
        <span className="faint">
          {' '}
          · {plural(rollout.steps, 'step')} · {formatTokens(rollout.tokens)} tokens
          {rollout.model !== null && ` · ${rollout.model}`}
          {rollout.status !== null && ` · ${rollout.status}, reward ${formatNumber(rollout.reward)}`}
        </span>
      </p>
      <p>
        <b>Forbids</b> {forbids.length === 0 ? 'nothing said' : forbids.join(' · ')}{' '}
        <b className="task-grants">Grants</b> {grants.length === 0 ? 'nothing said' : grants.join(' · ')}
      </p>
      <fieldset className="task-views" aria-label="View">
        <Button
          variant="quiet"
          shortcut="r"
          aria-pressed={view === 'rollout'}
          onClick={() => switchView(reading, 'rollout')}
        >
          Whole rollout
        </Button>
        <Button variant="quiet" shortcut="i" aria-pressed={whole} onClick={() => switchView(reading, 'about')}>
          Task
        </Button>
      </fieldset>
    </section>
  );
}

/** The clauses in the task's own words where it has some; a sentence that says several things stands once. */
function wordsOf(clauses: readonly ContractClause[]): string[] {
  return [
    ...new Set(clauses.map(({ what, quote }) => (quote === '' ? what : `“${quote.replace(/\s+/gu, ' ').trim()}”`))),
  ];
}
