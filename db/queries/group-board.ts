// The group board: a group by its id or by one of its rollouts, and the steps of every member in order.

import type { PartKind, SegmentKind } from '../../app/contract/vocabulary.ts';
import { decodeBody } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { rolloutIdByUid } from './rollouts.ts';
import { segmentPlaces } from './segments.ts';

/** What a group is called and where it comes from. */
export interface GroupRow {
  readonly id: number;
  readonly externalId: string;
  readonly run: string | null;
  readonly trainingStep: number | null;
}

/** The group (null for a rollout without one) and its rollouts by row id, in order of import. */
export interface FoundGroup {
  readonly group: GroupRow | null;
  readonly rolloutIds: readonly number[];
  /** The rollout it was asked for by; null when asked for by the group's own id. */
  readonly asked: number | null;
}

/** `g-12` names a group; anything else a rollout by either of its ids. Refuses a name that is neither (`rollout-unknown`). */
export function findGroup(db: ReadDb, name: string): FoundGroup {
  const own = /^g-(\d{1,15})$/u.exec(name)?.[1];
  const known = own === undefined ? undefined : groupRow(db, Number(own));
  if (known !== undefined) return { group: known, rolloutIds: membersOf(db, known.id), asked: null };
  const rolloutId = rolloutIdByUid(db, name);
  const groupId = db.value<number>('SELECT group_id FROM rollouts WHERE id = ?', rolloutId) ?? null;
  const group = groupId === null ? undefined : groupRow(db, groupId);
  if (group === undefined) return { group: null, rolloutIds: [rolloutId], asked: rolloutId };
  return { group, rolloutIds: membersOf(db, group.id), asked: rolloutId };
}

function groupRow(db: ReadDb, id: number): GroupRow | undefined {
  return db.get<GroupRow>(
    'SELECT id, external_id AS externalId, run_id AS run, training_step AS trainingStep FROM groups WHERE id = ?',
    id,
  );
}

function membersOf(db: ReadDb, groupId: number): number[] {
  return db.column<number>('SELECT id FROM rollouts WHERE group_id = ? AND uid IS NOT NULL ORDER BY id', groupId);
}

/** Versions of the weights over a rollout's steps, each once, in order of first use. */
export function weightVersions(db: ReadDb, rolloutId: number): string[] {
  return db.column<string>(
    `SELECT i.weight_version FROM segments s JOIN items i ON i.segment_id = s.id
     WHERE s.rollout_id = ? AND i.weight_version IS NOT NULL GROUP BY i.weight_version ORDER BY MIN(s.idx), MIN(i.id)`,
    rolloutId,
  );
}

/** Weight versions of the whole training step of a rollout (its file's, where the log names none): what "newest" is measured by. */
export function stepVersions(db: ReadDb, rolloutIds: readonly number[]): string[] {
  return db.column<string>(
    `SELECT DISTINCT i.weight_version FROM items i
     WHERE i.weight_version IS NOT NULL AND i.rollout_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(rolloutIds),
  );
}

/** One part of a step that may be its action. */
export interface StepPart {
  readonly kind: Extract<PartKind, 'text' | 'tool_call'>;
  readonly name: string | null;
  /** Identity of the text: equal bodies are equal texts. */
  readonly body: number;
}

/** A step of the rollout in order; copied context is not one. */
export interface BoardStep {
  readonly item: number;
  readonly segment: number;
  readonly segmentKind: SegmentKind;
  /** Token of the rollout's axis at which it begins; null where the log does not say. */
  readonly token: number | null;
  readonly parts: readonly StepPart[];
}

interface StoredStep {
  readonly itemId: number;
  readonly segmentId: number;
  readonly idx: number;
  readonly tokenStart: number | null;
  readonly kind: StepPart['kind'] | null;
  readonly name: string | null;
  readonly body: number | null;
}

/** The steps of a rollout with the parts that make their actions: no texts yet. */
export function boardSteps(db: ReadDb, rolloutId: number): BoardStep[] {
  const places = new Map(segmentPlaces(db, rolloutId).map((place) => [place.id, place]));
  const rows = db.all<StoredStep>(
    `SELECT i.id AS itemId, i.segment_id AS segmentId, i.idx, i.token_start AS tokenStart, p.kind, p.name, p.body_id AS body
     FROM segments s JOIN items i ON i.segment_id = s.id
       LEFT JOIN parts p ON p.item_id = i.id AND p.kind IN ('text', 'tool_call')
     WHERE s.rollout_id = ? AND i.kind = 'step' AND i.copied = 0 ORDER BY s.idx, i.idx, p.idx`,
    rolloutId,
  );
  const steps: (Omit<BoardStep, 'parts'> & { readonly id: number; readonly parts: StepPart[] })[] = [];
  for (const row of rows) {
    const place = places.get(row.segmentId);
    if (place === undefined) continue;
    let step = steps.at(-1);
    if (step === undefined || step.id !== row.itemId) {
      step = {
        id: row.itemId,
        item: place.firstItem + row.idx,
        segment: place.index,
        segmentKind: place.kind,
        token: row.tokenStart === null ? null : place.axisStart + row.tokenStart,
        parts: [],
      };
      steps.push(step);
    }
    if (row.kind !== null && row.body !== null) step.parts.push({ kind: row.kind, name: row.name, body: row.body });
  }
  return steps.map(({ id: _, ...step }) => step);
}

/** Texts of bodies by id. */
export function bodyTexts(db: ReadDb, ids: readonly number[]): Map<number, string> {
  const rows = db.all<{ id: number; codec: 0 | 1; bytes: number; data: Uint8Array }>(
    'SELECT id, codec, bytes, data FROM bodies WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, ...stored }) => [id, decodeBody(stored)]));
}
