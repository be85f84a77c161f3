// Rewards of a table given to the rollouts that it names. What the log itself said stays in the detail of the reward, so that
// joining the same table again, or another one, starts from it.

import type { AlertDraft, Json, RewardDraft } from '../../app/contract/ingest.ts';
import type { WriteDb } from '../connection.ts';
import { storedJson } from '../row.ts';

interface Found {
  readonly id: number;
  readonly reward: number | null;
  readonly detail: string | null;
}

/** Ids named in a message. */
const shown = 5;

/**
 * Joins rewards within the caller's transaction. Gives the alerts that are the report: matched, unmatched (with the first
 * place), conflicting (a rollout with two rewards; the later row stands) and ambiguous (a row that fits several rollouts).
 */
export function joinRewards(db: WriteDb, path: string, rewards: readonly RewardDraft[]): AlertDraft[] {
  const given = new Map<number, { reward: number; row: RewardDraft }>();
  const unmatched = tally();
  const ambiguous = tally();
  const conflicting = tally();
  for (const row of rewards) {
    const found = candidates(db, row);
    const [first] = found;
    if (first === undefined) {
      unmatched.add(row);
      continue;
    }
    if (found.length > 1) {
      ambiguous.add(row);
      continue;
    }
    const before = given.get(first.id);
    if (before !== undefined && before.reward !== row.reward) conflicting.add(row);
    given.set(first.id, { reward: row.reward, row });
  }
  for (const [id, { row }] of given) give(db, id, path, row);
  const alerts: AlertDraft[] = [];
  const say = (
    kind: string,
    severity: AlertDraft['severity'],
    counted: Tally,
    message: (names: string) => string,
  ): void => {
    if (counted.count === 0) return;
    const names = counted.names.join(', ') + (counted.count > counted.names.length ? ', …' : '');
    alerts.push({
      kind,
      severity,
      message: message(names),
      count: counted.count,
      ...(counted.first?.place === undefined ? {} : { place: counted.first.place }),
    });
  };
  if (given.size > 0) {
    const message = `${given.size === 1 ? 'One rollout has its reward' : `${given.size} rollouts have their rewards`} from this table now; what the log said is kept beside it.`;
    alerts.push({ kind: 'reward-joined', severity: 'info', message, count: given.size });
  }
  say(
    'reward-unmatched',
    'warning',
    unmatched,
    (names) =>
      `Rows that name no rollout of this workspace: ${names}. Import the rollouts first, then this table again.`,
  );
  say(
    'reward-ambiguous',
    'warning',
    ambiguous,
    (names) =>
      `Rows that fit several rollouts and were left out: ${names}. Name the rollout, or add the attempt, the training step or the run.`,
  );
  say(
    'reward-conflicting',
    'warning',
    conflicting,
    (names) => `Rollouts with two different rewards in this table: ${names}. The later row stands.`,
  );
  return alerts;
}

interface Tally {
  count: number;
  first: RewardDraft | null;
  readonly names: string[];
  add(row: RewardDraft): void;
}

function tally(): Tally {
  return {
    count: 0,
    first: null,
    names: [],
    add(row) {
      this.count++;
      this.first ??= row;
      if (this.names.length < shown) this.names.push(nameOf(row).slice(0, 80));
    },
  };
}

function nameOf(row: RewardDraft): string {
  return row.rollout ?? `${row.task ?? ''}${row.attempt === null ? '' : ` attempt ${row.attempt}`}`;
}

/** Rollouts in force that a row may mean: by id where it has one, else by task; narrowed by what else it says. */
function candidates(db: WriteDb, row: RewardDraft): Found[] {
  const select = 'SELECT id, reward, reward_detail AS detail FROM rollouts';
  const narrowed = `(? IS NULL OR attempt = ?) AND (? IS NULL OR training_step = ?) AND (? IS NULL OR run_id = ?) LIMIT 2`;
  const { attempt, trainingStep, run, task } = row;
  const rest = [attempt, attempt, trainingStep, trainingStep, run, run];
  if (row.rollout === null)
    return db.all<Found>(`${select} WHERE task = ? AND uid IS NOT NULL AND ${narrowed}`, task, ...rest);
  const byUid = db.all<Found>(`${select} WHERE uid = ?`, row.rollout);
  if (byUid.length > 0) return byUid;
  const named = `external_id = ? AND uid IS NOT NULL AND (? IS NULL OR task = ?)`;
  return db.all<Found>(`${select} WHERE ${named} AND ${narrowed}`, row.rollout, task, task, ...rest);
}

function give(db: WriteDb, id: number, path: string, row: RewardDraft): void {
  const stored = db.get<Found>('SELECT id, reward, reward_detail AS detail FROM rollouts WHERE id = ?', id);
  if (stored === undefined) return;
  const { original, detail } = logged(stored);
  const joined: Json = {
    source: path,
    line: row.place?.line ?? null,
    value: row.reward,
    ...(row.detail === undefined ? {} : { columns: row.detail }),
  };
  db.run(
    'UPDATE rollouts SET reward = ?, reward_detail = ? WHERE id = ?',
    row.reward,
    JSON.stringify({ ...detail, joined, original }),
    id,
  );
}

/** What the log said of a reward, whether or not a table was joined before. */
function logged(stored: Found): { original: Json; detail: { readonly [key: string]: Json } } {
  const parsed = stored.detail === null ? null : storedJson<Json>(stored.detail);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { original: { reward: stored.reward, ...(parsed === null ? {} : { detail: parsed }) }, detail: {} };
  }
  // Boundary: neither null nor a list, so an object.
  const { joined, original, ...detail } = parsed as { readonly [key: string]: Json };
  const before = joined === undefined ? undefined : original;
  return { original: before ?? { reward: stored.reward }, detail };
}
