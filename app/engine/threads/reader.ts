// A reader thread: a read-only connection that answers the screens, or (a second one) feeds the jobs. Result sets live
// here, in the thread whose connection made them.

import { randomBytes } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { close, openReader } from '../../../db/open.ts';
import { allRolloutIds, batchIds, unscannedRolloutIds, withValues } from '../../../db/queries/batch.ts';
import { body } from '../../../db/queries/bodies.ts';
import { estimatorInputRows, inputsHash, inputsHashes } from '../../../db/queries/estimator-input.ts';
import { items, outline, scanParts } from '../../../db/queries/items.ts';
import { interruptedFollowings } from '../../../db/queries/jobs.ts';
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
import { listRuns, pageRuns, type RunCurrency } from '../../../db/queries/runs.ts';
import { indexState } from '../../../db/queries/search.ts';
import { getSetting } from '../../../db/queries/settings.ts';
import { type SourcePlace, sourcePlace, storedRaw } from '../../../db/queries/source-raw.ts';
import { type RecordCount, recordCounts } from '../../../db/queries/source-records.ts';
import { listSources, sourceReport } from '../../../db/queries/sources.ts';
import { itemMeans, type SeriesRequest, series } from '../../../db/queries/tokens.ts';
import { listValueSets, type ValueColumn, valueSetOf } from '../../../db/queries/values.ts';
import { keptFields } from '../../../db/queries/verify-input.ts';
import type { EstimatorRun, RunRow } from '../../contract/advantages.ts';
import type { Filter, RolloutColumn, SortKey } from '../../contract/filter.ts';
import type { SourceRow } from '../../contract/imports.ts';
import type { InterruptedJob } from '../../contract/jobs.ts';
import type { ItemOutline, ItemRow, RolloutRow, Span } from '../../contract/records.ts';
import type { ResultSet, RolloutDetail, TokenDetail, TokenSeries, TokenTexts } from '../../contract/rollouts.ts';
import type { SearchIndexState, SearchRequest, SearchUpdate } from '../../contract/search.ts';
import type { TokenizerState } from '../../contract/tokenizer.ts';
import type { ValueSet, ValuesReport } from '../../contract/values.ts';
import type { CriticStandIn, RolloutVerification, VerifyRequest } from '../../contract/verify.ts';
import { estimatorById } from '../../domain/advantage/registry.ts';
import { maskJson } from '../../domain/text/credentials.ts';
import { nativeLine } from '../../ingest/formats/native-write.ts';
import type { Limits } from '../../ingest/limits.ts';
import type { RunSegment } from '../../ingest/run-rows.ts';
import { Refusal } from '../../shared/errors.ts';
import { DerivedColumns } from '../advantages/derived-columns.ts';
import { type Computed, chooseEstimator, columnsFor, estimate, needsExtras, scopeOf } from '../advantages/estimate.ts';
import { extrasOf } from '../advantages/estimate-extras.ts';
import { runSegments } from '../advantages/export-advantages.ts';
import { groupReads } from '../advantages/group-board.ts';
import { runBuffers } from '../advantages/run-buffers.ts';
import { runSetReads } from '../advantages/run-sets.ts';
import { readTexts, tokenizerKey, tokenizerState } from '../advantages/token-texts.ts';
import { readTokens, type SegmentTokens, type TextChoice } from '../advantages/tokens.ts';
import { joinValues } from '../advantages/values-join.ts';
import { verifyBatches, verifyRows } from '../advantages/verify-job.ts';
import { whatIfReads } from '../advantages/what-if.ts';
import { judgeReads } from '../judge/judge-reads.ts';
import { disputeReads } from '../labels/dispute-reads.ts';
import { labelReads } from '../labels/label-reads.ts';
import { reviewReads } from '../labels/review-reads.ts';
import { scanReads } from '../scan/scan-reads.ts';
import { type FoundTexts, findInRollout, locateQuote } from '../search/find.ts';
import { SearchSession } from '../search/search-session.ts';
import { folding } from '../search/search-text.ts';
import { type CallContext, serveThread, Transfer } from './rpc.ts';

export interface ReaderData {
  readonly path: string;
  /** Memory for pages of the workspace; jobs read most of it once, so that theirs may be small. */
  readonly cacheMiB?: number;
}

// Boundary: the engine starts this thread with exactly this data.
const data = workerData as ReaderData;
const db = openReader(data.path, data.cacheMiB === undefined ? {} : { cacheMiB: data.cacheMiB });

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

/** What runs depend on now: the rollouts that the estimator saw with these parameters, and the joined values. */
const currency: RunCurrency = {
  version: (estimator) => estimatorById(estimator)?.version,
  inputsHash(rolloutId, { estimator, params, critic }) {
    const definition = estimatorById(estimator);
    const scope = definition === undefined ? 'rollout' : scopeOf({ definition, params, critic });
    return inputsHash(db, inputIds(rolloutId, scope), critic.kind === 'file' ? critic.values : null);
  },
};

/** Reads and computes for rollouts that belong together (row ids). */
function computeFor(
  chosen: ReturnType<typeof chooseEstimator>,
  ids: readonly number[],
  wanted: (row: { readonly rolloutId: number }) => boolean,
  tokens: boolean,
): Computed[] {
  const { critic } = chosen;
  const joined = critic.kind === 'file' ? valueSetOf(db, critic.values) : null;
  const columns = columnsFor(chosen);
  const rows = estimatorInputRows(db, ids, {
    valueSet: joined?.setId ?? null,
    ...(columns === undefined ? {} : { columns }),
  });
  const extras = needsExtras(chosen) ? rows.map((row) => extrasOf(keptFields(db, row.rolloutId))) : [];
  const values = critic.kind === 'file' ? critic.values : null;
  // Where the estimator looks at one rollout at a time, each depends on itself alone.
  const own = scopeOf(chosen) === 'rollout' ? inputsHashes(db, ids, values) : null;
  const shared = own === null ? inputsHash(db, ids, values) : '';
  return estimate(chosen, rows, (row) => own?.get(row.rolloutId) ?? shared, {
    wanted: new Set(rows.filter(wanted).map(({ uid }) => uid)),
    tokens,
    extras,
    criticFile: joined?.name ?? null,
  });
}

/** Columns that are made for drawing and kept for the next look. */
const derived = new DerivedColumns(db, computeFor);

interface EstimateArgs {
  readonly estimator?: string | undefined;
  readonly preset?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly critic?: CriticStandIn | undefined;
}

const api = {
  ...labelReads(db),
  ...reviewReads(db),
  ...disputeReads(db),
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
    const id = idOf(args.id);
    return series(db, id, args, derived.curve(id, args.column));
  },
  token(args: { readonly id: string; readonly axis: number; readonly run?: string | undefined }): TokenDetail {
    return derived.token(idOf(args.id), args.axis, args.run);
  },
  text(args: { readonly id: string; readonly start: number; readonly end: number }): TokenTexts {
    return readTexts(db, idOf(args.id), args.start, args.end);
  },
  /** The state of a tokenizer file, or of the one that is set. */
  tokenizer(args: { readonly path?: string | undefined }): TokenizerState {
    const set = args.path ?? api.setting({ key: tokenizerKey });
    return tokenizerState(set === '' ? null : set);
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
  /** The alerts of a source as they are stored; none for an unknown one. */
  sourceAlerts(args: { readonly source: number }): SourceRow['alerts'] {
    return sourceReport(db, args.source)?.alerts ?? [];
  },
  sourcePlace(args: { readonly source: number }): SourcePlace | null {
    return sourcePlace(db, args.source);
  },
  recordCounts(args: { readonly source: number }): RecordCount[] {
    return recordCounts(db, args.source);
  },
  storedRaw(args: { readonly source: number; readonly offset: number }): string | null {
    return storedRaw(db, args.source, args.offset);
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
    const ids = inputIds(id, scopeOf(chosen));
    const [computed] = computeFor(chosen, ids, (row) => row.rolloutId === id, args.tokens);
    if (computed === undefined)
      throw new Refusal('rollout-unknown', `The rollout ${args.rollout} is gone.`, 'Import its log again.');
    return computed;
  },
  /** Computes for several rollouts; each sees the group or batch it belongs to. */
  estimateMany(
    args: EstimateArgs & { readonly rolloutIds: readonly number[]; readonly cancel: Int32Array<SharedArrayBuffer> },
  ): Transfer<Computed[]> {
    const chosen = chooseEstimator(args);
    const scope = scopeOf(chosen);
    const waiting = new Set(args.rolloutIds);
    const all: Computed[] = [];
    if (scope === 'rollout') {
      all.push(...computeFor(chosen, args.rolloutIds, () => true, false));
      waiting.clear();
    }
    for (const id of args.rolloutIds) {
      if (!waiting.has(id)) continue;
      if (Atomics.load(args.cancel, 0) !== 0) throw new Refusal('cancelled', 'The job was cancelled.');
      const ids = inputIds(id, scope);
      all.push(...computeFor(chosen, ids, (row) => waiting.has(row.rolloutId), false));
      for (const one of [id, ...ids]) waiting.delete(one);
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
    return listRuns(db, id, currency);
  },
  /** A rollout's run as rows of an export. */
  runSegments(args: { readonly rolloutId: number; readonly run: string | null }): RunSegment[] {
    return runSegments(db, args.rolloutId, args.run, currency);
  },
  ...runSetReads(db, currency.version, (rolloutId, choice) => {
    const definition = estimatorById(choice.estimator);
    const scope = definition === undefined ? 'rollout' : scopeOf({ definition, ...choice });
    return inputIds(rolloutId, scope);
  }),
  allRuns(args: { readonly start: number; readonly count: number }): { total: number; rows: RunRow[] } {
    return pageRuns(db, args, currency);
  },
  /** Reads and matches a values file; emits its columns in batches. */
  joinValues(
    args: {
      readonly path: string;
      readonly limits: Partial<Limits>;
      readonly cancel: Int32Array<SharedArrayBuffer>;
    },
    context: CallContext,
  ): Promise<ValuesReport> {
    const emit = (columns: readonly ValueColumn[]): void => {
      const buffers = new Set(columns.map(({ data }) => data.buffer));
      context.emit(
        columns,
        [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
      );
    };
    return joinValues(db, args, emit, () => {
      if (Atomics.load(args.cancel, 0) !== 0) throw new Refusal('cancelled', 'The job was cancelled.');
    });
  },
  valueSets(): ValueSet[] {
    return listValueSets(db);
  },

  ...whatIfReads(db, idOf),
  ...groupReads(db, idOf),

  interruptedJobs(): InterruptedJob[] {
    return interruptedFollowings(db);
  },

  /** Row ids: of the named rollouts, of those that were never scanned, or of all. */
  rolloutIds(args: {
    readonly uids?: readonly string[] | undefined;
    readonly unscanned?: boolean;
    readonly withValues?: boolean;
  }): number[] {
    const ids =
      args.uids !== undefined
        ? args.uids.map(idOf)
        : args.unscanned === true
          ? unscannedRolloutIds(db)
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

  ...scanReads(db, idOf),
  ...judgeReads(db, idOf),

  /** A rollout as a line of native JSONL, with its credentials masked (and counted) unless they are to be revealed. */
  nativeLine(args: { readonly rolloutId: number; readonly reveal: boolean }): { line: string; masked: number } {
    const line = nativeLine(rolloutDraft(db, args.rolloutId));
    if (args.reveal) return { line, masked: 0 };
    const { json, masked } = maskJson(line);
    return { line: json, masked };
  },
  tokens(args: {
    readonly rollout: string;
    readonly run?: string | undefined;
    readonly texts?: TextChoice | undefined;
  }): SegmentTokens[] {
    return readTokens(db, idOf(args.rollout), args.run, args.texts);
  },
};
export type ReaderApi = typeof api;

serveThread(api, () => close(db));
