// The labelled things behind a figure, the disputed first: what every annotator said of each, side by side.

import { useRef } from 'react';
import type { AgreementSelection, AgreementTarget, AgreementUnit } from '../../../app/contract/index.ts';
import { targetId } from '../../../app/domain/agreement/units.ts';
import { useActions } from '../../actions.ts';
import { useAgreementUnits } from '../../data/agreement.ts';
import { type AgreementRoute, formatRoute, navigate } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatCount, formatMoment, formatPercent } from '../../ui/format.ts';
import { placeOf } from '../../ui/label-place.ts';
import { EmptyState, ErrorState, Spinner } from '../../ui/states.tsx';
import { counted, listRoute, orderLabels, rolloutRouteOf, selectionTitle } from './selection.ts';

/** The list with its heading; `shared` is the number of all that can be compared. */
export function UnitList(props: {
  readonly target: AgreementTarget;
  readonly select: AgreementSelection;
  readonly route: AgreementRoute;
  readonly shared: number;
}) {
  const { target, select, route } = props;
  const found = useAgreementUnits(target, select);
  const list = useRef<HTMLUListElement>(null);
  const units = found.data?.pages.flatMap((page) => page.units) ?? [];
  const total = found.data?.pages[0]?.total ?? 0;
  const selected = Math.max(
    0,
    units.findIndex((unit) => targetId(unit.target) === route.sel),
  );
  const current = units[selected];
  const move = (by: number): void => {
    const next = units[Math.max(0, Math.min(units.length - 1, selected + by))];
    if (next === undefined) return;
    const id = targetId(next.target);
    navigate({ ...route, sel: id }, { replace: true });
    list.current?.querySelector<HTMLElement>(`[data-unit="${CSS.escape(id)}"]`)?.focus();
  };
  useActions('agreement', {
    // The first press only makes the selection visible where nothing has the focus yet.
    next: () => move(route.sel === undefined ? 0 : 1),
    previous: () => move(-1),
    open: { when: () => current !== undefined, run: () => current !== undefined && open(current) },
    disputed: { when: () => select.what !== 'disputed', run: () => navigate(listRoute(route, {}), { replace: true }) },
  });
  return (
    <section className="agree-list" aria-label="Compared verdicts">
      <header className="agree-list-head">
        <h2>{selectionTitle(select)}</h2>
        <span className="muted">{found.data === undefined ? '' : counted(target, total)}</span>
        <span className="gap" />
        {select.what !== 'disputed' && (
          <Button shortcut="0" onClick={() => navigate(listRoute(route, {}), { replace: true })}>
            Disputed
          </Button>
        )}
        {select.what !== 'shared' && (
          <Button onClick={() => navigate(listRoute(route, { show: 'shared' }), { replace: true })}>
            All {formatCount(props.shared)} compared
          </Button>
        )}
      </header>
      {found.isError ? (
        <ErrorState title="The list could not be read" error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <EmptyState title="Reading the verdicts">
          <Spinner />
        </EmptyState>
      ) : (
        <ul ref={list} aria-label={selectionTitle(select)}>
          {units.length === 0 && (
            <li>
              <EmptyState icon="check" title={select.what === 'disputed' ? 'No verdict is disputed' : 'Nothing here'}>
                {select.what === 'disputed'
                  ? `On all ${counted(target, props.shared)} with two or more verdicts the annotators say the same.`
                  : 'No verdicts stand behind this figure any more.'}
              </EmptyState>
            </li>
          )}
          {units.map((unit, at) => (
            <UnitRow key={targetId(unit.target)} unit={unit} select={select} selected={at === selected} />
          ))}
          {found.hasNextPage && (
            <li className="agree-more">
              <span className="muted">
                Showing {formatCount(units.length)} of {formatCount(total)}
              </span>
              <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Show more
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function open(unit: AgreementUnit): void {
  if (unit.externalId !== null) navigate(rolloutRouteOf(unit.target));
}

function UnitRow(props: {
  readonly unit: AgreementUnit;
  readonly select: AgreementSelection;
  readonly selected: boolean;
}) {
  const { unit, select, selected } = props;
  const { target, externalId, task, rule, labels } = unit;
  const id = targetId(target);
  const place = placeOf(target);
  return (
    <li className="agree-unit" data-selected={selected || undefined}>
      <header>
        {externalId === null ? (
          <span className="mono" data-unit={id} tabIndex={-1}>
            {target.rollout}
          </span>
        ) : (
          <a
            href={formatRoute(rolloutRouteOf(target))}
            data-unit={id}
            className="agree-open"
            aria-current={selected ? 'true' : undefined}
          >
            {externalId}
          </a>
        )}
        {target.type === 'marker' && <span className="mono">{rule ?? 'a marker of an older pack'}</span>}
        {place !== null && <span>{place}</span>}
        <span className="mono faint">{target.type === 'marker' ? (target.marker ?? '') : target.rollout}</span>
        {task !== null && <span className="muted ellipsis">{task}</span>}
        {externalId === null && <span className="muted">no longer in the workspace</span>}
        <span className="gap" />
        {unit.final !== null && <Chip tone={verdictTone(unit.final)}>adjudicated {unit.final}</Chip>}
        {unit.disputed && unit.final === null && <Chip tone="disputed">disputed</Chip>}
      </header>
      <div className="agree-said">
        {orderLabels(labels, select).map((label) => (
          <div key={label.annotator} className={`agree-label ${label.verdict}`}>
            <p className="agree-who">
              <b className="ellipsis" title={label.annotator}>
                {label.annotator}
              </b>
              <Chip tone={verdictTone(label.verdict)}>{label.verdict}</Chip>
              {label.kinds.map((kind) => (
                <Chip key={kind}>{kind}</Chip>
              ))}
            </p>
            {label.note !== '' && (
              <p className="agree-note" title={label.note}>
                {label.note}
              </p>
            )}
            <p className="faint agree-at">
              {formatMoment(label.at)}
              {label.confidence !== null && ` · ${formatPercent(label.confidence, 0)} sure`}
            </p>
          </div>
        ))}
      </div>
    </li>
  );
}
