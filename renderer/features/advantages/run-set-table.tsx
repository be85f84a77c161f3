// The stored runs by set: which estimator with which parameters, over how many rollouts, and what of it no longer holds.

import type { ReactNode } from 'react';
import type { RunSet } from '../../../app/contract/index.ts';
import { useRemoveRunSet } from '../../data/advantages.ts';
import { explain } from '../../data/rollout.ts';
import type { AdvantagesRoute } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { formatCount, formatMoment } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { setName, setParameters, staleReason } from './run-set-words.ts';

/** The table. `a` and `b` are the sides of the comparison. */
export function RunSetTable(props: {
  readonly sets: readonly RunSet[];
  readonly selected: RunSet | undefined;
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly onChange: (next: Partial<AdvantagesRoute>) => void;
}): ReactNode {
  const { sets, selected, a, b, onChange } = props;
  const remove = useRemoveRunSet();
  const removing = (set: RunSet, stale: boolean): void =>
    remove.mutate(
      { set: set.id, stale },
      {
        onError: (error) => {
          const { message, hint } = explain(error);
          toast({ title: 'The runs were not deleted', description: hint ?? message, tone: 'error' });
        },
      },
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
    <section className="adv-sets" tabIndex={0} aria-label="Stored runs">
      <table>
        <caption className="visually-hidden">Stored runs by estimator and parameters, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Compare</th>
            <th scope="col">Estimator</th>
            <th scope="col">Critic</th>
            <th scope="col" className="number">
              Rollouts
            </th>
            <th scope="col">State</th>
            <th scope="col">Made</th>
            <th scope="col">
              <span className="visually-hidden">Acts</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => {
            const name = setName(set);
            return (
              <tr
                key={set.id}
                aria-selected={set === selected}
                className={set === selected ? 'selected' : undefined}
                onClick={(event) => {
                  // A press on a button of the row is that button's.
                  if (event.target instanceof Element && event.target.closest('button') === null)
                    onChange({ sel: set.id });
                }}
              >
                <td className="adv-sides">
                  {(['a', 'b'] as const).map((side) => {
                    const on = (side === 'a' ? a : b) === set.id;
                    return (
                      <Button
                        key={side}
                        aria-pressed={on}
                        aria-label={`${name} as ${side.toUpperCase()}`}
                        onClick={() => onChange({ [side]: on ? undefined : set.id })}
                      >
                        {side.toUpperCase()}
                      </Button>
                    );
                  })}
                </td>
                <th scope="row">
                  <b>{name}</b> <span className="muted">{setParameters(set)}</span>
                </th>
                <td>{set.criticLabel}</td>
                <td className="number">{formatCount(set.rollouts)}</td>
                <td>
                  <State set={set} />
                </td>
                <td className="adv-made">{formatMoment(set.createdAt)}</td>
                <td className="adv-acts">
                  {set.stale > 0 && set.stale < set.rollouts && (
                    <Button
                      variant="quiet"
                      aria-label={`Delete the stale runs of ${name}`}
                      disabled={remove.isPending}
                      onClick={() => removing(set, true)}
                    >
                      Delete stale
                    </Button>
                  )}
                  <Button
                    variant="quiet"
                    aria-label={`Delete ${name}`}
                    disabled={remove.isPending}
                    onClick={() => removing(set, false)}
                  >
                    Delete
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function State({ set }: { readonly set: RunSet }): ReactNode {
  return (
    <>
      {set.stale > 0 ? (
        <span title={staleReason(set)}>
          <Chip tone="disputed">{formatCount(set.stale)} stale</Chip> <span className="muted">{staleReason(set)}</span>
        </span>
      ) : (
        <Chip tone="clean">current</Chip>
      )}
      {set.refused > 0 && <Chip tone="summary">{formatCount(set.refused)} refused</Chip>}
    </>
  );
}
