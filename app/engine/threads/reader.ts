// A reader thread: a read-only connection that answers the screens, or (a second one) feeds the jobs. Result sets live
// here, in the thread whose connection made them.

import { randomBytes } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { close, openReader, registerCancel } from '../../../db/open.ts';
import { labelledSpans, labelsOn, unitDetails } from '../../../db/queries/agreement.ts';
import { allRolloutIds, batchIds, rolloutIdsOfSources, withValues } from '../../../db/queries/batch.ts';
import { body } from '../../../db/queries/bodies.ts';
import { estimatorInputRows, inputsHash } from '../../../db/queries/estimator-input.ts';
import { items, outline, scanParts } from '../../../db/queries/items.ts';
import { currentLabels, exportActs, labelHistory, undoState } from '../../../db/queries/labels.ts';
import { currentPack, markersOf, type StoredPack } from '../../../db/queries/markers.ts';
import { rolloutDetail, siblingIds } from '../../../db/queries/rollout-detail.ts';
import { rolloutDraft } from '../../../db/queries/rollout-draft.ts';
import {
  countRollouts,
  facets,
  queryRolloutIds,
  rolloutIdByUid,
  rolloutRows,
  workspaceTotals,
} from '../../../db/queries/rollouts.ts';
import { listRuns, type RunCurrency } from '../../../db/queries/runs.ts';
import { indexState } from '../../../db/queries/search.ts';
import { getSetting } from '../../../db/queries/settings.ts';
import { listSources } from '../../../db/queries/sources.ts';
import { itemMeans, type SeriesRequest, series, tokenDetail } from '../../../db/queries/tokens.ts';
import { type MarkerVerdict, markerVerdicts, type TuningRow, tuningRows } from '../../../db/queries/tuning.ts';
import type { EstimatorRun } from '../../contract/advantages.ts';
import type { AgreementReport, AgreementSelection, AgreementTarget, AgreementUnit } from '../../contract/agreement.ts';
import type { Filter, RolloutColumn, SortKey } from '../../contract/filter.ts';
import type { SourceRow } from '../../contract/imports.ts';
import type { UndoState } from '../../contract/labels.ts';
import type {
  CurrentLabel,
  ItemOutline,
  ItemRow,
  LabelAct,
  MarkerRow,
  RolloutRow,
  Span,
} from '../../contract/records.ts';
import type { ResultSet, RolloutDetail, TokenDetail, TokenSeries } from '../../contract/rollouts.ts';
import type { SearchIndexState, SearchRequest, SearchUpdate } from '../../contract/search.ts';
import type { RolloutVerification, VerifyRequest } from '../../contract/verify.ts';
import { estimatorById } from '../../domain/advantage/registry.ts';
import { agreementReport } from '../../domain/agreement/report.ts';
import { isDisputed, selectUnits, unitsOf } from '../../domain/agreement/units.ts';
import type { ScanRollout } from '../../domain/detect/types.ts';
import { viewOfPart } from '../../domain/text/view.ts';
import { nativeLine } from '../../ingest/formats/native-write.ts';
import { Refusal } from '../../shared/errors.ts';
import { type Computed, chooseEstimator, estimate } from '../estimate.ts';
import { type FoundTexts, findInRollout, locateQuote } from '../find.ts';
import { runBuffers } from '../run-buffers.ts';
import { SearchSession } from '../search-session.ts';
import { folding } from '../search-text.ts';
import { readTokens, type SegmentTokens } from '../tokens.ts';
import { verifyBatches, verifyRows } from '../verify-job.ts';
import { serveThread, Transfer } from './rpc.ts';

export interface ReaderData {
  readonly path: string;
}

// Boundary: the engine starts this thread with exactly this data.
const data = workerData as ReaderData;
const db = openReader(data.path);

/** Result sets kept; an older one is made anew by the screen that still wants it. */
const setsKept = 16;
const sets = new Map<string, Int32Array>();

function keptSet(id: string): Int32Array {
  const found = sets.get(id);
  if (found === undefined) {
    throw new Refusal(
      'set-unknown',
      'This list is no longer kept.',
      'Query again; the same filter and sort give the same list.',
    );
  }
  // Most recently used last.
  sets.delete(id);
  sets.set(id, found);
  return found;
}

/** Running searches; a leaked one is forgotten when this many newer ones were opened. */
const searchesKept = 64;
const searches = new Map<number, SearchSession>();
let lastSearch = 0;

function idOf(uid: string): number {
  return rolloutIdByUid(db, uid);
}

/** The rollouts that an estimator needs to see for one rollout. */
function inputIds(rolloutId: number, scope: 'rollout' | 'group' | 'batch'): number[] {
  if (scope === 'rollout') return [rolloutId];
  return scope === 'group' ? siblingIds(db, rolloutId) : batchIds(db, rolloutId);
}

function currencyOf(rolloutId: number): RunCurrency {
  return {
    version: (estimator) => estimatorById(estimator)?.version,
    inputsHash: (estimator) => inputsHash(db, inputIds(rolloutId, estimatorById(estimator)?.scope ?? 'rollout')),
  };
}

interface EstimateArgs {
  readonly estimator?: string | undefined;
  readonly preset?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

const api = {
  query(args: { readonly where: Filter; readonly sort: readonly SortKey[]; readonly search: string }): ResultSet {
    const ids = queryRolloutIds(db, args);
    const set = randomBytes(9).toString('base64url');
    sets.set(set, ids);
    const [oldest] = sets.keys();
    if (sets.size > setsKept && oldest !== undefined) sets.delete(oldest);
    return { set, total: ids.length, all: countRollouts(db) };
  },
  page(args: { readonly set: string; readonly start: number; readonly count: number }): {
    rows: RolloutRow[];
    start: number;
  } {
    const ids = keptSet(args.set).subarray(args.start, args.start + args.count);
    return { rows: rolloutRows(db, ids), start: args.start };
  },
  position(args: { readonly set: string; readonly id: string }): { position: number } {
    return { position: keptSet(args.set).indexOf(idOf(args.id)) };
  },
  get(args: { readonly id: string }): RolloutDetail {
    return rolloutDetail(db, idOf(args.id));
  },
  outline(args: { readonly id: string }): ItemOutline[] {
    return outline(db, idOf(args.id));
  },
  items(args: {
    readonly id: string;
    readonly start: number;
    readonly count: number;
    readonly run?: string | undefined;
  }): ItemRow[] {
    const id = idOf(args.id);
    const rows = items(db, id, args.start, args.count);
    if (args.run === undefined) return rows;
    const means = itemMeans(db, id, args.run, rows);
    return rows.map((row, i) => ({ ...row, meanAdvantage: means[i] ?? null }));
  },
  series(args: { readonly id: string } & SeriesRequest): TokenSeries {
    return series(db, idOf(args.id), args);
  },
  token(args: { readonly id: string; readonly axis: number; readonly run?: string | undefined }): TokenDetail {
    return tokenDetail(db, idOf(args.id), args.axis, args.run);
  },
  find(args: { readonly id: string; readonly query: string }): FoundTexts {
    return findInRollout(scanParts(db, idOf(args.id)), args.query);
  },
  searchOpen(args: SearchRequest): { session: number } {
    lastSearch += 1;
    searches.set(lastSearch, new SearchSession(db, args));
    searches.delete(lastSearch - searchesKept);
    return { session: lastSearch };
  },
  searchNext(args: { readonly session: number; readonly milliseconds: number }): SearchUpdate {
    const search = searches.get(args.session);
    if (search === undefined) throw new Refusal('search-unknown', 'This search was given up.', 'Search again.');
    return search.next(args.milliseconds);
  },
  searchClose(args: { readonly session: number }): null {
    searches.delete(args.session);
    return null;
  },
  searchState(): SearchIndexState {
    return indexState(db, folding);
  },
  facets(args: { readonly column: RolloutColumn }): { value: string | number | null; count: number }[] {
    return facets(db, args.column);
  },
  /** Where a quote stands in a rollout: the first part whose view text has it. */
  locate(args: { readonly rollout: string; readonly quote: string }): Span | null {
    return locateQuote(scanParts(db, idOf(args.rollout)), args.quote);
  },
  body(args: { readonly id: number }): string | null {
    return body(db, args.id);
  },

  sources(): SourceRow[] {
    return listSources(db);
  },
  totals(): ReturnType<typeof workspaceTotals> {
    return workspaceTotals(db);
  },
  setting(args: { readonly key: string }): string | null {
    return getSetting(db, args.key);
  },

  /** Computes for one rollout, with its group or batch where the estimator needs it. Nothing is stored. */
  estimateOne(args: EstimateArgs & { readonly rollout: string; readonly tokens: boolean }): Computed {
    const chosen = chooseEstimator(args);
    const id = idOf(args.rollout);
    const ids = inputIds(id, chosen.definition.scopeWith(chosen.params));
    const rows = estimatorInputRows(db, ids);
    const uid = rows.find((row) => row.rolloutId === id)?.uid;
    const [computed] =
      uid === undefined
        ? []
        : estimate(chosen, rows, inputsHash(db, ids), { wanted: new Set([uid]), tokens: args.tokens });
    if (computed === undefined)
      throw new Refusal('rollout-unknown', `The rollout ${args.rollout} is gone.`, 'Import its log again.');
    return computed;
  },
  /** Computes for several rollouts; each sees the group or batch it belongs to. */
  estimateMany(
    args: EstimateArgs & { readonly rolloutIds: readonly number[]; readonly cancel: Int32Array<SharedArrayBuffer> },
  ): Transfer<Computed[]> {
    const chosen = chooseEstimator(args);
    const scope = chosen.definition.scopeWith(chosen.params);
    const waiting = new Set(args.rolloutIds);
    const all: Computed[] = [];
    for (const id of args.rolloutIds) {
      if (!waiting.has(id)) continue;
      if (Atomics.load(args.cancel, 0) !== 0) throw new Refusal('cancelled', 'The job was cancelled.');
      const ids = inputIds(id, scope);
      const rows = estimatorInputRows(db, ids);
      const wanted = new Set(rows.filter((row) => waiting.has(row.rolloutId)).map((row) => row.uid));
      all.push(...estimate(chosen, rows, inputsHash(db, ids), { wanted }));
      for (const row of rows) waiting.delete(row.rolloutId);
    }
    return new Transfer(all, runBuffers(all.map(({ draft }) => draft)));
  },
  verifyBatches(args: { readonly rolloutIds: readonly number[] }): number[][] {
    return verifyBatches(db, args.rolloutIds);
  },
  /** Logged against recomputed advantages; every rollout with its training step. */
  verify(
    args: Pick<VerifyRequest, 'critic' | 'expect'> & {
      readonly rolloutIds: readonly number[];
      readonly cancel: Int32Array<SharedArrayBuffer> | null;
    },
  ): RolloutVerification[] {
    return verifyRows(db, args.rolloutIds, args, () => {
      if (args.cancel !== null && Atomics.load(args.cancel, 0) !== 0) {
        throw new Refusal('cancelled', 'The job was cancelled.');
      }
    });
  },
  runs(args: { readonly rollout: string }): EstimatorRun[] {
    const id = idOf(args.rollout);
    return listRuns(db, id, currencyOf(id));
  },

  /** Row ids: of the named rollouts, of sources, or all. */
  rolloutIds(args: {
    readonly uids?: readonly string[] | undefined;
    readonly sources?: readonly number[];
    readonly withValues?: boolean;
  }): number[] {
    const ids =
      args.uids !== undefined
        ? args.uids.map(idOf)
        : args.sources !== undefined
          ? rolloutIdsOfSources(db, args.sources)
          : allRolloutIds(db);
    return args.withValues === true ? withValues(db, ids) : ids;
  },
  /** The public id of a rollout named by either of its ids; null when there is none such or the name fits several. */
  uidOf(args: { readonly name: string }): string | null {
    try {
      return rolloutRows(db, [idOf(args.name)])[0]?.id ?? null;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  },
  filterIds(args: { readonly where: Filter }): number[] {
    return Array.from(queryRolloutIds(db, { where: args.where }));
  },
  rows(args: { readonly rolloutIds: readonly number[] }): RolloutRow[] {
    return rolloutRows(db, args.rolloutIds);
  },

  /** The texts of rollouts as the rules read them. */
  scanInput(args: {
    readonly rolloutIds: readonly number[];
    readonly cancel: Int32Array<SharedArrayBuffer> | null;
  }): ScanRollout[] {
    registerCancel(db, args.cancel);
    try {
      return args.rolloutIds.map((id) => ({
        id: String(id),
        parts: scanParts(db, id).map(({ text, ...part }) => ({
          ...part,
          text: viewOfPart(part.kind, text),
          args: part.kind === 'tool_call' ? text : null,
        })),
      }));
    } finally {
      registerCancel(db, null);
    }
  },
  pack(): StoredPack | null {
    return currentPack(db);
  },
  markers(args: { readonly rollout: string }): MarkerRow[] {
    return markersOf(db, idOf(args.rollout));
  },
  markersOfMany(args: { readonly rolloutIds: readonly number[] }): MarkerRow[] {
    return args.rolloutIds.flatMap((id) => markersOf(db, id));
  },
  tuning(args: { readonly packRowId: number }): { rows: TuningRow[]; markers: MarkerVerdict[] } {
    return { rows: tuningRows(db, args.packRowId), markers: markerVerdicts(db, args.packRowId) };
  },

  agreement(args: { readonly target: AgreementTarget }): AgreementReport {
    const { target } = args;
    return agreementReport({ target, labels: labelsOn(db, target), spans: labelledSpans(db) });
  },
  agreementUnits(args: {
    readonly target: AgreementTarget;
    readonly select: AgreementSelection;
    readonly start: number;
    readonly count: number;
  }): { total: number; start: number; units: AgreementUnit[] } {
    return db.snapshot(() => {
      const units = selectUnits(unitsOf(labelsOn(db, args.target)), args.select);
      const page = units.slice(args.start, args.start + args.count);
      const details = unitDetails(
        db,
        page.map(({ target }) => target),
      );
      const disputed = page.map(isDisputed);
      return {
        total: units.length,
        start: args.start,
        units: details.map((unit, at) => ({ ...unit, disputed: disputed[at] ?? false })),
      };
    });
  },

  labelsOf(args: { readonly rollout: string }): CurrentLabel[] {
    return currentLabels(db, args.rollout);
  },
  labelHistory(args: { readonly rollout?: string | undefined; readonly limit: number }): LabelAct[] {
    const { rollout, limit } = args;
    return labelHistory(db, rollout === undefined ? { limit } : { rollout, limit });
  },
  undoState(args: { readonly annotator: string }): UndoState {
    return undoState(db, args.annotator);
  },
  acts(): LabelAct[] {
    return [...exportActs(db)];
  },

  /** A rollout as one line of the native format. */
  nativeLine(args: { readonly rolloutId: number }): string {
    return nativeLine(rolloutDraft(db, args.rolloutId));
  },
  tokens(args: { readonly rollout: string; readonly run?: string | undefined }): SegmentTokens[] {
    return readTokens(db, idOf(args.rollout), args.run);
  },
};
export type ReaderApi = typeof api;

serveThread(api, () => close(db));
