// The ledger of people's verdicts. Acts are appended and never changed; what is in force is a view. An act is on the disk
// before the function returns.

import { randomUUID } from 'node:crypto';
import type { LabelInput, UndoState } from '../../app/contract/labels.ts';
import type { CurrentLabel, LabelAct, LabelTarget } from '../../app/contract/records.ts';
import type { Verdict } from '../../app/contract/vocabulary.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { withFullSync } from '../open.ts';
import { asRow, storedJson } from '../row.ts';

/** Who acts, when, and what they had seen. */
export interface ActContext {
  readonly annotator: string;
  /** Now when absent. */
  readonly at?: Date;
  /** The rule pack in force, if any. */
  readonly packId?: string | null;
  readonly packVersion?: string | null;
}

const fromApp = 'app';

interface ActRow {
  readonly id: string;
  readonly act: LabelAct['act'];
  readonly of: string | null;
  readonly target: string;
  readonly verdict: Verdict | null;
  readonly kinds: string;
  readonly note: string;
  readonly confidence: number | null;
  readonly annotator: string;
  readonly at: string;
  readonly packId: string | null;
  readonly packVersion: string | null;
  readonly origin: string;
}

const actColumns = `id, act, of_id AS "of", target, verdict, kinds, note, confidence, annotator, at, pack AS packId,
  pack_version AS packVersion, origin`;

function actOf(row: ActRow): LabelAct {
  return { ...row, target: storedJson<LabelTarget>(row.target), kinds: storedJson<string[]>(row.kinds) };
}

/** A target with only the fields of its type, in one order: equal targets then have equal JSON. */
export function canonicalTarget(target: LabelTarget): LabelTarget {
  const { type, rollout, marker, segment, item, span } = target;
  switch (type) {
    case 'rollout':
      return { type, rollout };
    case 'segment':
      return { type, rollout, ...(segment === undefined ? {} : { segment }) };
    case 'item':
      return { type, rollout, ...(item === undefined ? {} : { item }) };
    case 'marker':
      return { type, rollout, ...(marker === undefined ? {} : { marker }) };
    case 'span':
      return span === undefined
        ? { type, rollout }
        : { type, rollout, span: { item: span.item, part: span.part, start: span.start, end: span.end } };
  }
}

function insert(db: WriteDb, act: LabelAct): void {
  const target = canonicalTarget(act.target);
  db.run(
    `INSERT INTO labels (id, act, of_id, target_type, rollout_uid, target, verdict, kinds, note, confidence, annotator, at,
       pack, pack_version, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    act.id,
    act.act,
    act.of,
    target.type,
    target.rollout,
    JSON.stringify(target),
    act.verdict,
    JSON.stringify(act.kinds),
    act.note,
    act.confidence,
    act.annotator,
    act.at,
    act.packId,
    act.packVersion,
    act.origin,
  );
}

/**
 * The time of a new act: now, but never before the annotator's newest act on the same rollout. The newest by time is in force,
 * so a clock that was set back must not make a fresh verdict lose against an old one.
 */
function timeOf(db: ReadDb, rollout: string, context: ActContext): string {
  const now = (context.at ?? new Date()).toISOString();
  const last = db.value<string | null>(
    'SELECT MAX(at) FROM labels WHERE rollout_uid = ? AND annotator = ?',
    rollout,
    context.annotator,
  );
  if (last === null || last === undefined || last < now) return now;
  return new Date(Date.parse(last) + 1).toISOString();
}

/** Appends one act and brings the rollout's figures up to date. On disk when it returns. */
function appendAct(db: WriteDb, act: LabelAct): LabelAct {
  return withFullSync(db, () => {
    insert(db, act);
    recomputeLabels(db, [act.target.rollout]);
    return act;
  });
}

/** A person's verdict on a target. */
export function addLabel(db: WriteDb, input: LabelInput, context: ActContext): LabelAct {
  return appendAct(db, {
    id: randomUUID(),
    act: 'label',
    of: null,
    target: canonicalTarget(input.target),
    verdict: input.verdict,
    kinds: input.kinds,
    note: input.note,
    confidence: input.confidence,
    annotator: context.annotator,
    at: timeOf(db, input.target.rollout, context),
    packId: context.packId ?? null,
    packVersion: context.packVersion ?? null,
    origin: fromApp,
  });
}

/** What `undo` would undo: the annotator's newest label in force that was given in the app. */
function undoTarget(db: ReadDb, annotator: string): LabelAct | null {
  const row = db.get<ActRow>(
    `SELECT ${actColumns} FROM labels_in_force WHERE annotator = ? AND origin = ? ORDER BY seq DESC LIMIT 1`,
    annotator,
    fromApp,
  );
  return row === undefined ? null : actOf(row);
}

/** What `redo` would bring back: the label undone last, as long as the annotator gave no new label since. */
function redoTarget(db: ReadDb, annotator: string): LabelAct | null {
  const row = db.get<ActRow>(
    `SELECT ${prefixed('l')} FROM labels u JOIN labels l ON l.id = u.of_id
     WHERE u.act = 'undo' AND u.annotator = ? AND u.origin = ? AND l.annotator = u.annotator
       AND u.seq > COALESCE((SELECT MAX(seq) FROM labels WHERE annotator = u.annotator AND origin = u.origin AND act = 'label'), 0)
       AND u.seq = (SELECT MAX(seq) FROM labels WHERE of_id = l.id)
     ORDER BY u.seq DESC LIMIT 1`,
    annotator,
    fromApp,
  );
  return row === undefined ? null : actOf(row);
}

/** Undoes the annotator's newest label in force; null when there is none. */
export function undoLabel(db: WriteDb, context: ActContext): LabelAct | null {
  const target = undoTarget(db, context.annotator);
  return target === null ? null : appendAct(db, actAbout(db, 'undo', target, context));
}

/** Brings back the label undone last; null when there is none. */
export function redoLabel(db: WriteDb, context: ActContext): LabelAct | null {
  const target = redoTarget(db, context.annotator);
  return target === null ? null : appendAct(db, actAbout(db, 'redo', target, context));
}

function actAbout(db: ReadDb, act: 'undo' | 'redo', label: LabelAct, context: ActContext): LabelAct {
  return {
    id: randomUUID(),
    act,
    of: label.id,
    target: label.target,
    verdict: null,
    kinds: [],
    note: '',
    confidence: null,
    annotator: context.annotator,
    at: timeOf(db, label.target.rollout, context),
    packId: context.packId ?? null,
    packVersion: context.packVersion ?? null,
    origin: fromApp,
  };
}

/** What the keys for undo and redo would do now, in words, and when this annotator's newest act was saved. */
export function undoState(db: ReadDb, annotator: string): UndoState {
  return {
    undo: inWords(undoTarget(db, annotator)),
    redo: inWords(redoTarget(db, annotator)),
    savedAt: db.value<string>('SELECT at FROM labels WHERE annotator = ? ORDER BY seq DESC LIMIT 1', annotator) ?? null,
  };
}

function inWords(act: LabelAct | null): string | null {
  if (act === null) return null;
  const { target, verdict } = act;
  return target.type === 'rollout'
    ? `${verdict} on ${target.rollout}`
    : `${verdict} on a ${target.type === 'item' ? 'step' : target.type} of ${target.rollout}`;
}

/** The labels in force on a rollout and everything in it, oldest first. */
export function currentLabels(db: ReadDb, rolloutUid: string): CurrentLabel[] {
  return db
    .all<ActRow>(`SELECT ${actColumns} FROM current_labels WHERE rollout_uid = ? ORDER BY at, seq`, rolloutUid)
    .map(currentOf);
}

/** The labels in force of the whole workspace, by rollout. */
export function allCurrentLabels(db: ReadDb): CurrentLabel[] {
  return db.all<ActRow>(`SELECT ${actColumns} FROM current_labels ORDER BY rollout_uid, at, seq`).map(currentOf);
}

/** Rows of `current_labels` are labels with a verdict by the view's definition and the table's CHECK. */
function currentOf(row: ActRow): CurrentLabel {
  return asRow<CurrentLabel>(actOf(row));
}

/** Acts, newest first. */
export function labelHistory(db: ReadDb, options: { readonly rollout?: string; readonly limit: number }): LabelAct[] {
  const rows =
    options.rollout === undefined
      ? db.all<ActRow>(`SELECT ${actColumns} FROM labels ORDER BY seq DESC LIMIT ?`, options.limit)
      : db.all<ActRow>(
          `SELECT ${actColumns} FROM labels WHERE rollout_uid = ? ORDER BY seq DESC LIMIT ?`,
          options.rollout,
          options.limit,
        );
  return rows.map(actOf);
}

/** Every act in the order of the ledger, for export. */
export function* exportActs(db: ReadDb): Generator<LabelAct> {
  let after = 0;
  for (;;) {
    const rows = db.all<ActRow & { seq: number }>(
      `SELECT seq, ${actColumns} FROM labels WHERE seq > ? ORDER BY seq LIMIT 500`,
      after,
    );
    for (const { seq, ...row } of rows) {
      after = seq;
      yield actOf(row);
    }
    if (rows.length === 0) return;
  }
}

/** What an import of acts did. `skipped` names undo and redo acts about labels that are in neither ledger. */
export interface ActsImported {
  readonly imported: number;
  readonly duplicates: number;
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
}

/** Appends acts of another ledger. An act whose id is already here is a duplicate and changes nothing. All or nothing. */
export function importActs(db: WriteDb, acts: Iterable<LabelAct>): ActsImported {
  return withFullSync(db, () => {
    let imported = 0;
    let duplicates = 0;
    const skipped: { id: string; reason: string }[] = [];
    const touched = new Set<string>();
    const known = (id: string): boolean => db.value('SELECT 1 FROM labels WHERE id = ?', id) !== undefined;
    for (const act of acts) {
      if (known(act.id)) {
        duplicates++;
      } else if (act.of !== null && !known(act.of)) {
        skipped.push({
          id: act.id,
          reason: `the ${act.act} is about act ${act.of}, which is neither here nor in the file`,
        });
      } else {
        // One form of time, so that times compare as text.
        insert(db, { ...act, at: new Date(act.at).toISOString() });
        touched.add(act.target.rollout);
        imported++;
      }
    }
    recomputeLabels(db, [...touched]);
    return { imported, duplicates, skipped };
  });
}

/**
 * Brings `rollouts.label` and `rollouts.labels` up to date for these uids: the verdict that all annotators' labels on the
 * rollout itself agree on, 'disputed' when they do not, null without any; and the number of labels in force in the rollout.
 * Labels on markers, spans, items or segments count but give the rollout no verdict.
 */
export function recomputeLabels(db: WriteDb, rolloutUids: readonly string[]): void {
  for (const uid of rolloutUids) {
    db.run(
      `UPDATE rollouts SET (label, labels) = (
         SELECT CASE COUNT(DISTINCT CASE WHEN target_type = 'rollout' THEN verdict END)
             WHEN 0 THEN NULL WHEN 1 THEN MAX(CASE WHEN target_type = 'rollout' THEN verdict END) ELSE 'disputed' END,
           COUNT(*)
         FROM current_labels WHERE rollout_uid = ?)
       WHERE uid = ?`,
      uid,
      uid,
    );
  }
}

function prefixed(alias: string): string {
  return `${alias}.id, ${alias}.act, ${alias}.of_id AS "of", ${alias}.target, ${alias}.verdict, ${alias}.kinds, ${alias}.note,
    ${alias}.confidence, ${alias}.annotator, ${alias}.at, ${alias}.pack AS packId, ${alias}.pack_version AS packVersion, ${alias}.origin`;
}
