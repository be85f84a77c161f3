// Joining a file of critic values: its columns are matched to segments by rollout and position, their lengths are checked, and
// what the log itself knows of the values tells whether they are off by one. Runs in a reader thread.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { stretchColumn } from '../../../db/codec.ts';
import type { ReadDb } from '../../../db/connection.ts';
import { shortHash } from '../../../db/ids.ts';
import { columnsNamed } from '../../../db/queries/tokens.ts';
import { type JoinTarget, joinTargets, type ValueColumn } from '../../../db/queries/values.ts';
import type { Unjoined, ValuesReport } from '../../contract/values.ts';
import { shiftOf, valuesBehind } from '../../domain/advantage/values-shift.ts';
import { defaultLimits, type Limits } from '../../ingest/limits.ts';
import { openSourceFile } from '../../ingest/open-file.ts';
import { type FileColumn, openValues } from '../../ingest/values-file.ts';
import { Refusal } from '../../shared/errors.ts';

/** Entries listed of what was not joined, or is off by one. */
const listed = 200;
/** Values that leave this thread at once. */
const batchTokens = 1_000_000;

/** Rollouts by either of their ids; null for an external id that several rollouts have. */
function byName(targets: readonly JoinTarget[]): Map<string, ReadonlyMap<number, JoinTarget> | null> {
  const segments = new Map<string, Map<number, JoinTarget>>();
  const owners = new Map<string, Set<string>>();
  for (const target of targets) {
    const own = segments.get(target.uid) ?? new Map<number, JoinTarget>();
    own.set(target.index, target);
    segments.set(target.uid, own);
    owners.set(target.externalId, (owners.get(target.externalId) ?? new Set()).add(target.uid));
  }
  const names = new Map<string, ReadonlyMap<number, JoinTarget> | null>();
  for (const [name, uids] of owners) {
    const [only] = uids;
    names.set(name, uids.size === 1 && only !== undefined ? (segments.get(only) ?? null) : null);
  }
  for (const [uid, own] of segments) names.set(uid, own);
  return names;
}

/** Where the column begins in its segment: values for all of its tokens, or for those after the prompt. Null: neither. */
function startOf(target: JoinTarget, length: number): number | null {
  if (length === target.tokens) return 0;
  return target.promptLength !== null && length === target.tokens - target.promptLength ? target.promptLength : null;
}

function lengthReason({ tokens, promptLength }: JoinTarget, length: number): string {
  const after = promptLength === null ? '' : `, or ${tokens - promptLength} after the prompt`;
  return `It has ${length} values; the segment has ${tokens} tokens${after}.`;
}

/** By how many tokens the values are off, as far as the log's own values, or its returns and advantages, tell. */
function shiftAgainstLog(db: ReadDb, target: JoinTarget, column: ValueColumn): -1 | 0 | 1 {
  const logged = new Map(
    columnsNamed(db, target.segmentId, ['values', 'returns', 'advantages']).map((one) => [
      one.name,
      stretchColumn(one, target.tokens),
    ]),
  );
  const returns = logged.get('returns');
  const advantages = logged.get('advantages');
  const known =
    logged.get('values') ??
    (returns === undefined || advantages === undefined ? undefined : valuesBehind(returns, advantages));
  if (known === undefined) return 0;
  return shiftOf(stretchColumn({ name: 'values', start: column.start, data: column.data }, target.tokens), known);
}

/**
 * Reads a values file and hands on its columns in batches. Gives the report; throws a Refusal when the file is none, or when
 * nothing of it fits any rollout (`values-unmatched`, with the first reason).
 */
export async function joinValues(
  db: ReadDb,
  request: { readonly path: string; readonly limits?: Partial<Limits> },
  emit: (columns: readonly ValueColumn[]) => void,
  checkCancelled: () => void,
): Promise<ValuesReport> {
  const limits = { ...defaultLimits, ...request.limits };
  const file = await openSourceFile(request.path, limits);
  const { format, entries } = await openValues(file, limits, checkCancelled);
  const names = byName(joinTargets(db));
  const digest = createHash('sha256').update(format);
  const joined = new Set<number>();
  const rollouts = new Set<number>();
  const first: Unjoined[] = [];
  const shifted: ValuesReport['shifted'] = [];
  let unmatched = 0;
  let tokens = 0;
  let batch: ValueColumn[] = [];
  let held = 0;
  const miss = (rollout: string, segment: number, reason: string): void => {
    unmatched += 1;
    if (first.length < listed) first.push({ rollout, segment, reason });
  };
  const place = (column: FileColumn): JoinTarget | string => {
    const found = names.get(column.rollout);
    if (found === undefined) return 'No rollout of the workspace has this id.';
    if (found === null) return 'Several rollouts have this id; name the rollout by its Rollscope id.';
    const target = found.get(column.segment);
    if (target === undefined) return `The rollout has ${found.size} segments, numbered from 0; this is none of them.`;
    if (joined.has(target.segmentId)) return 'The file has this segment twice; the first one was joined.';
    return startOf(target, column.values.length) === null ? lengthReason(target, column.values.length) : target;
  };
  for await (const entry of entries) {
    checkCancelled();
    if (entry.type === 'unread') {
      miss(entry.rollout, entry.segment, entry.reason);
      continue;
    }
    const target = place(entry.column);
    if (typeof target === 'string') {
      miss(entry.column.rollout, entry.column.segment, target);
      continue;
    }
    const { values } = entry.column;
    const column = { segmentId: target.segmentId, start: startOf(target, values.length) ?? 0, data: values };
    const by = shiftAgainstLog(db, target, column);
    if (by !== 0 && shifted.length < listed) {
      shifted.push({ rollout: target.externalId, segment: target.index, by, message: shiftMessage(by) });
    }
    digest
      .update(`${target.uid}/${target.index}`)
      .update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    joined.add(target.segmentId);
    rollouts.add(target.rolloutId);
    for (const value of values) if (!Number.isNaN(value)) tokens += 1;
    batch.push(column);
    held += values.length;
    if (held >= batchTokens) {
      emit(batch);
      batch = [];
      held = 0;
    }
  }
  if (joined.size === 0) {
    const [reason] = first;
    const why =
      reason === undefined ? 'It is empty.' : `First: ${reason.rollout}, segment ${reason.segment}: ${reason.reason}`;
    throw new Refusal(
      'values-unmatched',
      `Nothing in ${file.name} belongs to a rollout of this workspace. ${why}`,
      'Import the rollouts first; ids are those of the log, or of Rollscope.',
    );
  }
  if (batch.length > 0) emit(batch);
  return {
    id: `v-${shortHash(digest.digest('hex'))}`,
    name: basename(file.path),
    format,
    rollouts: rollouts.size,
    segments: joined.size,
    tokens,
    unmatched: { count: unmatched, first },
    shifted,
  };
}

function shiftMessage(by: -1 | 1): string {
  return by === 1
    ? 'The values are those of the token after: they stand one token too early, as when the value read at a token is stored for it.'
    : 'The values are those of the token before: they stand one token too late.';
}
