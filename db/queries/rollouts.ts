// The library's list: filters and sorts to ordered row ids, ids to rows, values of a column with counts. Column names come from
// the contract's closed list only; every value is bound.

import type { Condition, Filter, RolloutColumn, SortKey } from '../../app/contract/filter.ts';
import type { RolloutRow } from '../../app/contract/records.ts';
import type { SegmentKind } from '../../app/contract/vocabulary.ts';
import { Refusal } from '../../app/shared/errors.ts';
import type { ReadDb } from '../connection.ts';
import { type SqlValue, storedJson } from '../row.ts';

interface Column {
  readonly sql: string;
  readonly type: 'text' | 'number' | 'boolean';
}

function text(sql: string): Column {
  return { sql, type: 'text' };
}
function number(sql: string): Column {
  return { sql, type: 'number' };
}

const columns: Record<RolloutColumn, Column> = {
  id: text('r.uid'),
  externalId: text('r.external_id'),
  source: text('s.path'),
  format: text('s.format'),
  runId: text('r.run_id'),
  task: text('r.task'),
  group: text('g.external_id'),
  trainingStep: number('r.training_step'),
  model: text('r.model'),
  agent: text('r.agent'),
  split: text('r.split'),
  attempt: number('r.attempt'),
  status: text('r.status'),
  reward: number('r.reward'),
  segments: number('r.segments'),
  executionSegments: number('r.execution_segments'),
  summarySegments: number('r.summary_segments'),
  compactions: number('r.compactions'),
  steps: number('r.steps'),
  tokens: number('r.tokens'),
  trainableTokens: number('r.trainable_tokens'),
  markers: number('r.markers'),
  topKind: text('r.top_kind'),
  score: number('r.score'),
  marked: { sql: 'r.marked', type: 'boolean' },
  maxAbsAdvantage: number('r.max_abs_advantage'),
  label: text('r.label'),
  labels: number('r.labels'),
  alerts: number('r.alerts'),
  preview: text('r.preview'),
};

const from = 'FROM rollouts r JOIN sources s ON s.id = r.source_id LEFT JOIN groups g ON g.id = r.group_id';

/** Rollouts of complete imports only: while a file is on its way in or out its rollouts have no uid. */
const visible = 'r.uid IS NOT NULL';

interface Clause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Text for LIKE that stands for itself. The escape character is a backslash. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

/** Contains, ignoring case. LIKE folds ASCII only, so other needles go through a function of our own. */
function contains(sql: string, needle: string): Clause {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is the ASCII characters.
  return /^[\x00-\x7f]*$/.test(needle)
    ? { sql: `${sql} LIKE ? ESCAPE '\\'`, params: [`%${escapeLike(needle)}%`] }
    : { sql: `contains_fold(${sql}, ?)`, params: [needle] };
}

/** The bound form of a value for a column; a value that does not fit the column is refused, never silently compared. */
function bound(column: Column, condition: Condition): SqlValue {
  const { value } = condition;
  if (value === null) return null;
  if (column.type === 'text') return String(value);
  if (column.type === 'boolean') {
    if (value === true || value === 1 || value === 'true') return 1;
    if (value === false || value === 0 || value === 'false') return 0;
  } else {
    const asNumber = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof asNumber === 'number' && Number.isFinite(asNumber)) return asNumber;
  }
  const wanted = column.type === 'boolean' ? 'true or false' : 'a number';
  throw new Refusal(
    'filter-value',
    `The filter compares ${condition.column} with ${JSON.stringify(value)}, but ${condition.column} is ${wanted}.`,
    `Write for example: ${condition.column} ${column.type === 'boolean' ? '= true' : '>= 1'}`,
  );
}

/** `!=` and `!~` also hold where there is no value: "not a hack" includes what nobody labelled. */
function clauseOf(condition: Condition): Clause {
  const column = columns[condition.column];
  const { sql, type } = column;
  const absent = type === 'text' ? `(${sql} IS NULL OR ${sql} = '')` : `${sql} IS NULL`;
  switch (condition.op) {
    case 'none':
      return { sql: absent, params: [] };
    case 'some':
      return { sql: `NOT ${absent}`, params: [] };
    case '~':
      return contains(sql, String(condition.value ?? ''));
    case '!~': {
      const inner = contains(sql, String(condition.value ?? ''));
      return { sql: `NOT COALESCE(${inner.sql}, 0)`, params: inner.params };
    }
    case '=':
      return { sql: `${sql} IS ?`, params: [bound(column, condition)] };
    case '!=':
      return { sql: `${sql} IS NOT ?`, params: [bound(column, condition)] };
    default:
      return { sql: `${sql} ${condition.op} ?`, params: [bound(column, condition)] };
  }
}

const searched = ['r.uid', 'r.external_id', 'r.task', 'r.preview', 'g.external_id'] as const;

/** Every word must occur in an id, the task or the preview. */
function searchClauses(search: string): Clause[] {
  const words = search.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const parts = searched.map((sql) => contains(sql, word));
    return { sql: `(${parts.map((part) => part.sql).join(' OR ')})`, params: parts.flatMap((part) => part.params) };
  });
}

function orderBy(sort: readonly SortKey[]): string {
  const keys = sort.map(({ column, descending }) => {
    const { sql, type } = columns[column];
    const collation = type === 'text' ? ' COLLATE NOCASE' : '';
    // What has no value stands last in both directions.
    return `${sql} IS NULL, ${sql}${collation} ${descending ? 'DESC' : 'ASC'}`;
  });
  return [...keys, 'r.id'].join(', ');
}

export interface RolloutQuery {
  readonly where?: Filter;
  readonly sort?: readonly SortKey[];
  readonly search?: string;
}

function conditions(query: RolloutQuery): Clause {
  const clauses = [...(query.where ?? []).map(clauseOf), ...searchClauses(query.search ?? '')];
  return {
    sql: [visible, 'cancelled() = 0', ...clauses.map((clause) => clause.sql)].join(' AND '),
    params: clauses.flatMap((clause) => clause.params),
  };
}

/** The row ids of a filter and sort, in order; without a sort in order of import. */
export function queryRolloutIds(db: ReadDb, query: RolloutQuery = {}): Int32Array {
  const { sql, params } = conditions(query);
  return Int32Array.from(
    db.column<number>(`SELECT r.id ${from} WHERE ${sql} ORDER BY ${orderBy(query.sort ?? [])}`, ...params),
  );
}

/** How many rollouts a filter has; without one, all of the workspace. */
export function countRollouts(db: ReadDb, query: RolloutQuery = {}): number {
  const { sql, params } = conditions(query);
  return db.value<number>(`SELECT COUNT(*) ${from} WHERE ${sql}`, ...params) ?? 0;
}

interface StoredRollout extends Omit<RolloutRow, 'excludedFromLoss' | 'marked' | 'rail' | 'rewardSource'> {
  readonly rewardSource: string | null;
  readonly rowId: number;
  readonly excludedFromLoss: number;
  readonly marked: number;
  readonly rail: string;
}

const rowSql = `
  SELECT r.id AS rowId, r.uid AS id, r.external_id AS externalId, s.path AS source, COALESCE(s.format, '') AS format,
    r.run_id AS runId, r.task, g.external_id AS "group",
    CASE WHEN r.group_id IS NULL THEN 1
      ELSE (SELECT COUNT(*) FROM rollouts o WHERE o.group_id = r.group_id AND o.uid IS NOT NULL) END AS groupSize,
    r.training_step AS trainingStep, r.model, r.agent, r.split, r.attempt, r.status, r.status_detail AS statusDetail, r.reward,
    r.reward_detail ->> '$.joined.source' AS rewardSource,
    r.excluded_from_loss AS excludedFromLoss, r.segments, r.execution_segments AS executionSegments,
    r.summary_segments AS summarySegments, r.compactions, r.steps, r.tokens, r.trainable_tokens AS trainableTokens, r.markers,
    r.top_kind AS topKind, r.score, r.marked, r.max_abs_advantage AS maxAbsAdvantage, r.label, r.labels, r.alerts, r.preview,
    r.rail
  ${from} WHERE ${visible} AND r.id IN (SELECT value FROM json_each(?))`;

/** The rows of these ids, in this order. Ids that are gone meanwhile are left out. */
export function rolloutRows(db: ReadDb, ids: ArrayLike<number>): RolloutRow[] {
  const byId = new Map<number, RolloutRow>();
  for (const stored of db.all<StoredRollout>(rowSql, JSON.stringify(Array.from(ids)))) {
    const { rowId, rewardSource, ...row } = stored;
    const rail = storedJson<[SegmentKind, number][]>(row.rail).map(([kind, tokens]) => ({ kind, tokens }));
    byId.set(rowId, {
      ...row,
      ...(rewardSource === null ? {} : { rewardSource }),
      excludedFromLoss: row.excludedFromLoss === 1,
      marked: row.marked === 1,
      rail,
    });
  }
  return Array.from(ids).flatMap((id) => byId.get(id) ?? []);
}

const facetsMax = 50;

/** The most frequent values of a column with their counts, at most 50; null stands for "no value". */
export function facets(db: ReadDb, column: RolloutColumn): { value: string | number | null; count: number }[] {
  const { sql } = columns[column];
  return db.all(
    `SELECT ${sql} AS value, COUNT(*) AS count ${from} WHERE ${visible} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${facetsMax}`,
  );
}

/**
 * The row id of a rollout by its public id, the log's own id, or an unambiguous beginning of either. Refusals:
 * `rollout-unknown`, `rollout-ambiguous` (naming the candidates).
 */
export function rolloutIdByUid(db: ReadDb, name: string): number {
  const exact = db.value<number>('SELECT id FROM rollouts WHERE uid = ?', name);
  if (exact !== undefined) return exact;
  const candidates = (sql: string, ...params: SqlValue[]): { id: number; uid: string; externalId: string }[] =>
    db.all(
      `SELECT id, uid, external_id AS externalId FROM rollouts WHERE uid IS NOT NULL AND ${sql} ORDER BY id LIMIT 11`,
      ...params,
    );
  let found = candidates('external_id = ?', name);
  if (found.length === 0 && name !== '') {
    const start = `${escapeLike(name)}%`;
    found = candidates(
      "(uid LIKE ? ESCAPE '\\' OR uid LIKE ? ESCAPE '\\' OR external_id LIKE ? ESCAPE '\\')",
      start,
      `r-${start}`,
      start,
    );
  }
  const [first, ...others] = found;
  if (first === undefined) {
    throw new Refusal(
      'rollout-unknown',
      `There is no rollout ${JSON.stringify(name)} in this workspace.`,
      'List the rollouts with `rollscope rollouts`.',
    );
  }
  if (others.length === 0) return first.id;
  const shown = found.slice(0, 10).map((candidate) => `${candidate.uid} (${candidate.externalId})`);
  const more = found.length > shown.length ? ' and more' : '';
  throw new Refusal(
    'rollout-ambiguous',
    `${JSON.stringify(name)} could be any of these rollouts: ${shown.join(', ')}${more}.`,
    'Give the id that starts with r-.',
  );
}

/** Figures of the whole workspace for its greeting. */
export function workspaceTotals(db: ReadDb): {
  rollouts: number;
  labels: number;
  alerts: number;
  lastLabelAt: string | null;
} {
  return {
    rollouts: db.value<number>('SELECT COUNT(*) FROM rollouts WHERE uid IS NOT NULL') ?? 0,
    labels: db.value<number>('SELECT COUNT(*) FROM current_labels') ?? 0,
    alerts:
      db.value<number>(
        `SELECT TOTAL(a.count) FROM alerts a JOIN sources s ON s.id = a.source_id
         WHERE s.status NOT IN ('importing', 'removing')`,
      ) ?? 0,
    lastLabelAt: db.value<string>('SELECT at FROM labels ORDER BY seq DESC LIMIT 1') ?? null,
  };
}
