// Tables of rewards to join: CSV, JSON lines or Parquet with one rollout a row, named by its id, or by task and attempt. They
// bring no rollouts; the writer gives each row's reward to the rollout that it names.

import type { AlertDraft, IngestEvent, Json, RewardDraft } from '../../contract/ingest.ts';
import { csvHeader, csvRows } from '../csv.ts';
import { alertEvent, alertOf } from '../emit.ts';
import { limitRefusal } from '../limits.ts';
import { isParquet, sniffedColumns } from '../parquet.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { isArray, isObject, type JsonObject } from '../values.ts';
import { rowsOf } from './trainer-detect.ts';
import { type RowOrEvent, rowsIn } from './trainer-rows.ts';

/** Names of the columns of a table of rewards, by what they mean; the first that a row has wins. */
const names = {
  rollout: ['rollout_id', 'rollout', 'external_id', 'trajectory_id', 'traj_id', 'episode_id', 'sample_id', 'id'],
  task: ['task_id', 'task', 'instance_id', 'problem_id'],
  attempt: ['attempt', 'trial', 'attempt_index'],
  step: ['training_step', 'global_step', 'step'],
  run: ['run_id', 'run'],
  reward: ['reward', 'score', 'total_reward', 'final_reward', 'resolved', 'passed', 'success', 'correct'],
} as const;

const meaningful = new Set<string>(Object.values(names).flat());
/** Columns of a table that says more than rewards: such a file is a log, whatever else it holds. */
const longest = 30;

function detect(sniff: Sniff): Detection | null {
  const parquet = sniffedColumns(sniff);
  if (parquet !== null) return parquet.length === 0 ? null : tableOf(parquet, 0.55, 'Parquet');
  const rows = rowsOf(sniff);
  if (rows.length > 0) return rows.every(isFlat) ? tableOf(Object.keys(rows[0] ?? {}), 0.55, 'JSON rows') : null;
  if (sniff.head.includes(0)) return null;
  const header = csvHeader(sniff.text);
  return header === null ? null : tableOf(header.columns, 0.9, 'table');
}

/** Whether a row holds single values only, and no long text: rows of logs hold lists, messages or answers. */
function isFlat(row: JsonObject): boolean {
  return Object.values(row).every(
    (value) => !isArray(value) && !isObject(value) && (typeof value !== 'string' || value.length <= 400),
  );
}

function tableOf(columns: readonly string[], confidence: number, what: string): Detection | null {
  const has = (wanted: readonly string[]): string | undefined => wanted.find((name) => columns.includes(name));
  const key = has(names.rollout) ?? has(names.task);
  const reward = has(names.reward);
  if (key === undefined || reward === undefined || columns.length > longest) return null;
  return { confidence, reason: `${what} with ${reward} for each ${key}, to join to rollouts` };
}

async function* read(group: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const head = main.size === null ? new Uint8Array() : await main.readRange(0, Math.min(64 * 1024, main.size));
  let rows = 0;
  for await (const source of isTable(head) ? csvRows(main, context) : rowsIn(main, context)) {
    if (source.type === 'event') {
      yield source.event;
      continue;
    }
    if (++rows > context.limits.joinRows) throw limitRefusal('joinRows', context.limits, main.path);
    const made = rewardOf(source.row);
    yield 'kind' in made ? alertEvent(made) : { type: 'reward', reward: made };
  }
}

/** Whether the bytes are a table of text: neither Parquet nor JSON. */
function isTable(head: Uint8Array): boolean {
  if (isParquet(head)) return false;
  const begin = Buffer.from(head)
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .trimStart();
  return !begin.startsWith('{') && !begin.startsWith('[');
}

function rewardOf({ row, number, place }: Extract<RowOrEvent, { type: 'row' }>['row']): RewardDraft | AlertDraft {
  const cell = (wanted: readonly string[]): Json =>
    wanted.map((name) => row[name]).find((value) => value !== undefined && value !== null && value !== '') ?? null;
  const rollout = idText(cell(names.rollout));
  const task = idText(cell(names.task));
  const reward = rewardNumber(cell(names.reward));
  const wrong = (what: string): AlertDraft =>
    alertOf('reward-row', 'warning', `Row ${number} ${what}; it was left out.`, { place, raw: JSON.stringify(row) });
  if (rollout === null && task === null) return wrong('names no rollout (a rollout id, or a task)');
  if (reward === null) return wrong('has no number as its reward');
  const rest = Object.entries(row).filter(([name, value]) => !meaningful.has(name) && value !== null && value !== '');
  return {
    rollout,
    task,
    attempt: integerOf(cell(names.attempt)),
    trainingStep: integerOf(cell(names.step)),
    run: idText(cell(names.run)),
    reward,
    ...(rest.length === 0 ? {} : { detail: Object.fromEntries(rest) }),
    place,
  };
}

function idText(value: Json): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A reward as tables write it: a number, or a word for yes and no. */
function rewardNumber(value: Json): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  if (['true', 'yes', 'pass', 'passed', 'resolved'].includes(word)) return 1;
  if (['false', 'no', 'fail', 'failed', 'unresolved'].includes(word)) return 0;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/u.test(word) ? Number(word) : null;
}

function integerOf(value: Json): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/u.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

export const format: Format = { id: 'rewards', title: 'Rewards to join (CSV, JSONL, Parquet)', detect, read };
