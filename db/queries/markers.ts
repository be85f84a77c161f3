// Rule packs and what they found. The markers of a pack are replaced rollout by rollout; the rollout keeps the figures of the
// newest scan for sorting and filtering.

import { createHash } from 'node:crypto';
import type { ChainHop, MarkerOutcome, MarkerRow } from '../../app/contract/records.ts';
import { Refusal } from '../../app/shared/errors.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { shortHash } from '../ids.ts';
import { storedJson } from '../row.ts';
import { rememberScan, type ScanBasis } from './scans.ts';
import { segmentPlaces } from './segments.ts';

/** A rule pack as text with the figures that the database needs of it. */
export interface PackDraft {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly threshold: number;
  readonly yaml: string;
}

export interface StoredPack extends PackDraft {
  readonly rowId: number;
  readonly current: boolean;
  readonly createdAt: string;
}

/** Stores a pack, once by its text, and makes it the one in force unless `current` is false. Gives its row id. */
export function upsertPack(db: WriteDb, pack: PackDraft, current = true): number {
  return db.transaction(() => {
    const hash = createHash('sha256').update(pack.yaml).digest();
    const known = db.value<number>('SELECT id FROM rule_packs WHERE hash = ?', hash);
    const id =
      known ??
      db.run(
        'INSERT INTO rule_packs (pack, version, title, threshold, yaml, hash, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        pack.id,
        pack.version,
        pack.title,
        pack.threshold,
        pack.yaml,
        hash,
        new Date().toISOString(),
      ).lastId;
    if (current) db.run('UPDATE rule_packs SET current = (id = ?)', id);
    return id;
  });
}

type PackRow = Omit<StoredPack, 'current'> & { readonly current: number };

const packSql =
  'SELECT id AS rowId, pack AS id, version, title, threshold, yaml, current, created_at AS createdAt FROM rule_packs';

/** The pack in force, or null before the first. */
export function currentPack(db: ReadDb): StoredPack | null {
  const row = db.get<PackRow>(`${packSql} WHERE current = 1`);
  return row === undefined ? null : { ...row, current: row.current === 1 };
}

/** Versions of a pack that this workspace has stored. */
export function packVersions(db: ReadDb, pack: string): string[] {
  return db.column<string>('SELECT version FROM rule_packs WHERE pack = ?', pack);
}

/** The stored packs, newest first. */
export function storedPacks(db: ReadDb): StoredPack[] {
  return db.all<PackRow>(`${packSql} ORDER BY rowId DESC`).map((row) => ({ ...row, current: row.current === 1 }));
}

/** Puts a stored pack in force again. @throws Refusal `pack-unknown`. */
export function putPackInForce(db: WriteDb, rowId: number): StoredPack {
  return db.transaction(() => {
    const row = db.get<PackRow>(`${packSql} WHERE id = ?`, rowId);
    if (row === undefined) throw new Refusal('pack-unknown', 'That rule pack is no longer stored.', 'Choose another.');
    db.run('UPDATE rule_packs SET current = (id = ?)', rowId);
    return { ...row, current: true };
  });
}

/** A hit of a rule in one rollout. Items count over the whole rollout; offsets are UTF-16 units of the part's view text. */
export interface MarkerDraft {
  readonly rule: string;
  readonly ruleTitle: string;
  readonly kind: string;
  readonly family: string;
  readonly severity: string;
  readonly why: string;
  readonly benign: readonly string[];
  readonly item: number;
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly score: number;
  readonly weak: boolean;
  readonly chain: readonly ChainHop[];
  readonly outcome: MarkerOutcome | null;
}

/** What a scan says of one rollout. */
export interface RolloutScan {
  readonly rolloutId: number;
  readonly markers: readonly MarkerDraft[];
  readonly score: number;
  readonly marked: boolean;
  readonly topKind: string | null;
  /** What the scan went by; without it the next scan runs all rules. */
  readonly basis?: ScanBasis;
}

/**
 * Replaces the markers of these rollouts, whatever pack made them, and the figures the list shows, in one transaction: a
 * rollout shows its newest scan. The same span found twice by one rule is kept once. Labels name markers by a public id made
 * of rollout, rule and span, so they stay with a marker that is found again.
 */
export function replaceMarkers(db: WriteDb, packId: number, scans: readonly RolloutScan[]): void {
  db.transaction(() => {
    for (const scan of scans) {
      db.run('DELETE FROM markers WHERE rollout_id = ?', scan.rolloutId);
      const uid = db.value<string>('SELECT uid FROM rollouts WHERE id = ? AND uid IS NOT NULL', scan.rolloutId);
      // The rollout went away between scan and writing: its markers go with it.
      if (uid === undefined) continue;
      const finder = itemFinder(db, scan.rolloutId);
      let stored = 0;
      for (const marker of scan.markers) stored += insert(db, packId, scan.rolloutId, uid, finder(marker.item), marker);
      db.run(
        'UPDATE rollouts SET markers = ?, top_kind = ?, score = ?, marked = ? WHERE id = ?',
        stored,
        stored === 0 ? null : scan.topKind,
        scan.score,
        scan.marked ? 1 : 0,
        scan.rolloutId,
      );
      rememberScan(db, packId, scan.rolloutId, scan.basis ?? null);
    }
  });
}

interface FoundItem {
  readonly itemId: number;
  readonly segmentId: number;
}

/** Finds the row of an item by its index in the rollout. */
function itemFinder(db: ReadDb, rolloutId: number): (item: number) => FoundItem {
  const places = segmentPlaces(db, rolloutId);
  return (item) => {
    const place = places.find((p) => item >= p.firstItem && item < p.firstItem + p.items);
    const itemId =
      place === undefined
        ? undefined
        : db.value<number>('SELECT id FROM items WHERE segment_id = ? AND idx = ?', place.id, item - place.firstItem);
    if (place === undefined || itemId === undefined) {
      throw new Refusal(
        'marker-item',
        `A marker points to item ${item}, which the rollout does not have.`,
        'Scan again.',
      );
    }
    return { itemId, segmentId: place.id };
  };
}

function insert(
  db: WriteDb,
  packId: number,
  rolloutId: number,
  rolloutUid: string,
  at: FoundItem,
  marker: MarkerDraft,
): number {
  const { rule, item, part, start, end } = marker;
  return db.run(
    `INSERT INTO markers (uid, pack_id, rollout_id, segment_id, item_id, part_idx, start, "end", quote, kind, family, rule,
       rule_title, severity, why, benign, score, weak, chain, outcome)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pack_id, uid) DO NOTHING`,
    `m-${shortHash(JSON.stringify([rolloutUid, rule, item, part, start, end]))}`,
    packId,
    rolloutId,
    at.segmentId,
    at.itemId,
    part,
    start,
    end,
    marker.quote,
    marker.kind,
    marker.family,
    rule,
    marker.ruleTitle,
    marker.severity,
    marker.why,
    JSON.stringify(marker.benign),
    marker.score,
    marker.weak ? 1 : 0,
    JSON.stringify(marker.chain),
    marker.outcome === null ? null : JSON.stringify(marker.outcome),
  ).changes;
}

interface StoredMarker
  extends Omit<MarkerRow, 'benign' | 'chain' | 'outcome' | 'weak' | 'stale' | 'label' | 'segment' | 'step' | 'item'> {
  readonly segmentId: number;
  readonly itemIdx: number;
  readonly stepInSegment: number | null;
  readonly benign: string;
  readonly chain: string;
  readonly outcome: string | null;
  readonly weak: number;
  readonly current: number;
}

/** Markers of a rollout in the order of its items; `stale` when the pack in force has not been run on it yet. */
export function markersOf(db: ReadDb, rolloutId: number): MarkerRow[] {
  const places = new Map(segmentPlaces(db, rolloutId).map((place) => [place.id, place]));
  const rows = db.all<StoredMarker>(
    `SELECT m.uid AS id, r.uid AS rollout, m.segment_id AS segmentId, i.idx AS itemIdx, i.step AS stepInSegment,
       m.part_idx AS part, m.start, m."end", m.quote, m.kind, m.family, m.rule, m.rule_title AS ruleTitle, m.severity, m.why,
       m.benign, m.score, m.weak, m.chain, m.outcome, k.pack AS packId, k.version AS packVersion, k.current
     FROM markers m JOIN rollouts r ON r.id = m.rollout_id JOIN items i ON i.id = m.item_id JOIN rule_packs k ON k.id = m.pack_id
     WHERE m.rollout_id = ?`,
    rolloutId,
  );
  const [first] = rows;
  if (first === undefined) return [];
  const verdicts = markerVerdicts(db, first.rollout);
  return rows
    .flatMap(({ segmentId, itemIdx, stepInSegment, current, ...row }) => {
      const place = places.get(segmentId);
      if (place === undefined) return [];
      const marker: MarkerRow = {
        ...row,
        segment: place.index,
        item: place.firstItem + itemIdx,
        step: stepInSegment === null ? null : place.stepsBefore + stepInSegment,
        benign: storedJson<string[]>(row.benign),
        chain: storedJson<ChainHop[]>(row.chain),
        outcome: row.outcome === null ? null : storedJson<MarkerOutcome>(row.outcome),
        weak: row.weak === 1,
        stale: current !== 1,
        label: verdicts.get(row.id) ?? null,
      };
      return [marker];
    })
    .sort((a, b) => a.item - b.item || a.part - b.part || a.start - b.start || a.end - b.end);
}

/** What people say of each marker of a rollout all in all, by marker id: the adjudicated verdict before the labels. */
function markerVerdicts(db: ReadDb, rolloutUid: string): Map<string, NonNullable<MarkerRow['label']>> {
  const rows = db.all<{ marker: string; verdict: NonNullable<MarkerRow['label']> }>(
    `SELECT target ->> '$.marker' AS marker, verdict FROM target_verdicts
     WHERE rollout_uid = ? AND target_type = 'marker'`,
    rolloutUid,
  );
  return new Map(rows.map((row) => [row.marker, row.verdict]));
}
