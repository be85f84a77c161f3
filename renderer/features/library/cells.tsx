// How the values of a rollout look in the table.

import type { RolloutRow } from '../../../app/contract/index.ts';
import { formatRoute } from '../../routes.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatNumber } from '../../ui/format.ts';

/** The id, as a link to the rollout. */
export function IdCell({ row }: { readonly row: RolloutRow }) {
  return (
    <a
      className="mono row-link"
      tabIndex={-1}
      href={formatRoute({ screen: 'rollout', id: row.id })}
      title={row.externalId}
    >
      {row.id}
    </a>
  );
}

/** A reward: green above zero, red below, faint at zero; always its figure. Underlined where a table gave it. */
export function RewardCell(props: { readonly reward: number | null; readonly source: string | undefined }) {
  const { reward, source } = props;
  const tone = reward === null || reward === 0 ? 'zero' : reward > 0 ? 'positive' : 'negative';
  if (source === undefined) return <span className={`reward ${tone}`}>{formatNumber(reward)}</span>;
  return (
    <span className={`reward joined ${tone}`} title={`Joined from ${source}`}>
      {formatNumber(reward)}
    </span>
  );
}

function statusClass(status: RolloutRow['status']): string {
  if (status === 'completed') return 'muted';
  return status === 'unknown' ? 'faint' : 'status-other';
}

/** The status, with the detail of the log where there is one. */
export function StatusCell({ row }: { readonly row: RolloutRow }) {
  return (
    <span className={statusClass(row.status)} title={row.statusDetail ?? undefined}>
      {row.status}
      {row.excludedFromLoss && <span className="faint"> · not trained</span>}
    </span>
  );
}

/** Suspicion: the score, and the kind as a chip where the pack marks the rollout. */
export function SuspicionCell({ row }: { readonly row: RolloutRow }) {
  if (row.score === null) return <span className="faint">not scanned</span>;
  if (!row.marked) return <span className="faint">{formatNumber(row.score)}</span>;
  return (
    <span className="suspicion">
      <b>{formatNumber(row.score)}</b>
      <Chip tone="hack">{row.topKind ?? 'marked'}</Chip>
    </span>
  );
}

/** The common verdict of the annotators. */
export function LabelCell({ row }: { readonly row: RolloutRow }) {
  if (row.label === null) return <span className="faint">–</span>;
  return (
    <Chip tone={verdictTone(row.label)} title={`${row.labels} ${row.labels === 1 ? 'label' : 'labels'}`}>
      {row.label}
    </Chip>
  );
}
