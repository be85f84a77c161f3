// Exports as text, row by row. What is exported comes from the stored data, never from what a screen shows. Credentials are
// masked in everything, unless the person asked to reveal them.

import type { JudgementPage } from '../../db/queries/judgement-export.ts';
import type { Filter } from '../contract/filter.ts';
import type { ExportedJudgement } from '../contract/judge.ts';
import type { MarkerRow, RolloutRow } from '../contract/records.ts';
import { maskCredentials, maskJson } from '../domain/text/credentials.ts';
import { currentPrompt } from './judge/judge-settings.ts';
import { labelCells, labelColumns } from './labels/labels-csv.ts';
import type { Threads } from './services.ts';

export interface ExportRequest {
  readonly what: 'rollouts' | 'markers' | 'labels' | 'judgements';
  readonly format: 'jsonl' | 'csv';
  readonly where?: Filter;
  /** For labels: every act of the ledger, or one line per labelled rollout as in a labelled set. */
  readonly shape?: 'acts' | 'labelled';
  /** Writes credentials as they stand in the log instead of masking them. */
  readonly reveal?: boolean;
  write(chunk: string): Promise<void>;
}

/** What an export wrote: its rows, and how many credentials were masked in them. */
export interface Exported {
  readonly rows: number;
  readonly masked: number;
}

const batchSize = 100;

/** Writes an export chunk by chunk and counts its rows. */
export async function exportLines(threads: Threads, request: ExportRequest): Promise<Exported> {
  const mask = masking(request.reveal === true);
  if (request.what === 'labels') return exportLabels(threads, request, mask);
  if (request.what === 'judgements') return exportJudgements(threads, request, mask);
  const ids = await threads.work.call('filterIds', { where: request.where ?? [] });
  let rows = 0;
  if (request.format === 'csv')
    await request.write(csvLine(request.what === 'markers' ? markerColumns : rolloutColumns));
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const lines = await batchLines(threads, request, batch, mask);
    rows += lines.length;
    if (lines.length > 0) await request.write(lines.join(''));
  }
  return { rows, masked: mask.count() };
}

/** The one gate through which every row of an export passes. */
interface Mask {
  /** A line of JSON. */
  line(json: string): string;
  cell(text: string): string;
  /** Credentials that another thread masked. */
  add(masked: number): void;
  count(): number;
}

function masking(reveal: boolean): Mask {
  let count = 0;
  return {
    line: (json) => {
      if (reveal) return json;
      const result = maskJson(json);
      count += result.masked;
      return result.json;
    },
    cell: (text) => {
      if (reveal) return text;
      const result = maskCredentials(text);
      count += result.found.length;
      return result.text;
    },
    add: (masked) => {
      count += masked;
    },
    count: () => count,
  };
}

async function batchLines(
  threads: Threads,
  request: ExportRequest,
  ids: readonly number[],
  mask: Mask,
): Promise<string[]> {
  if (request.what === 'markers') {
    const markers = await threads.work.call('markersOfMany', { rolloutIds: ids });
    return markers.map((marker) =>
      request.format === 'csv'
        ? csvLine(markerColumns.map((column) => mask.cell(cell(marker[column]))))
        : `${mask.line(JSON.stringify(marker))}\n`,
    );
  }
  if (request.format === 'csv') {
    const rows = await threads.work.call('rows', { rolloutIds: ids });
    return rows.map((row) => csvLine(rolloutColumns.map((column) => mask.cell(cell(row[column])))));
  }
  const lines: string[] = [];
  for (const rolloutId of ids) {
    const { line, masked } = await threads.work.call('nativeLine', { rolloutId, reveal: request.reveal === true });
    mask.add(masked);
    lines.push(`${line}\n`);
  }
  return lines;
}

async function exportLabels(threads: Threads, request: ExportRequest, mask: Mask): Promise<Exported> {
  if (request.shape === 'labelled') return exportLabelled(threads, request, mask);
  const acts = await threads.work.call('acts', undefined);
  if (request.format === 'csv') await request.write(csvLine(labelColumns));
  for (let start = 0; start < acts.length; start += 1_000) {
    const lines = acts
      .slice(start, start + 1_000)
      .map((act) =>
        request.format === 'csv' ? csvLine(labelCells(act).map(mask.cell)) : `${mask.line(JSON.stringify(act))}\n`,
      );
    await request.write(lines.join(''));
  }
  return { rows: acts.length, masked: mask.count() };
}

/** One line per labelled rollout of the filter, with its messages: see labelled-shape.ts. */
async function exportLabelled(threads: Threads, request: ExportRequest, mask: Mask): Promise<Exported> {
  const ids = await threads.work.call('filterIds', {
    where: [...(request.where ?? []), { column: 'label', op: 'some', value: null }],
  });
  let rows = 0;
  for (const rolloutId of ids) {
    const line = await threads.work.call('labelledLine', { rolloutId });
    if (line === null) continue;
    await request.write(`${mask.line(line)}\n`);
    rows += 1;
  }
  return { rows, masked: mask.count() };
}

/** Every judgement, oldest first; with a filter those of its rollouts, rollout batch by rollout batch. */
async function exportJudgements(threads: Threads, request: ExportRequest, mask: Mask): Promise<Exported> {
  const { text: prompt } = await currentPrompt({ threads });
  const ids = request.where === undefined ? null : await threads.work.call('filterIds', { where: request.where });
  let rows = 0;
  if (request.format === 'csv') await request.write(csvLine(judgementColumns));
  for (const rolloutIds of ids === null ? [undefined] : batches(ids)) {
    for (let after: number | null = 0; after !== null; ) {
      const page: JudgementPage = await threads.work.call('judgementPage', {
        after,
        count: batchSize,
        prompt,
        rolloutIds,
      });
      const lines = page.judgements.map((one) =>
        request.format === 'csv'
          ? csvLine(judgementColumns.map((column) => mask.cell(cell(one[column]))))
          : `${mask.line(JSON.stringify(one))}\n`,
      );
      if (lines.length > 0) await request.write(lines.join(''));
      rows += lines.length;
      after = page.next;
    }
  }
  return { rows, masked: mask.count() };
}

function batches(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, at) =>
    ids.slice(at * batchSize, (at + 1) * batchSize),
  );
}

const rolloutColumns = [
  'id',
  'externalId',
  'source',
  'format',
  'runId',
  'task',
  'group',
  'trainingStep',
  'model',
  'status',
  'reward',
  'segments',
  'compactions',
  'steps',
  'tokens',
  'trainableTokens',
  'markers',
  'topKind',
  'score',
  'marked',
  'maxAbsAdvantage',
  'label',
] as const satisfies readonly (keyof RolloutRow)[];

const markerColumns = [
  'id',
  'rollout',
  'segment',
  'step',
  'kind',
  'family',
  'rule',
  'score',
  'weak',
  'quote',
  'why',
  'packId',
  'packVersion',
  'label',
] as const satisfies readonly (keyof MarkerRow)[];

const judgementColumns = [
  'id',
  'at',
  'rollout',
  'marker',
  'inForce',
  'stale',
  'status',
  'verdict',
  'kind',
  'confidence',
  'pHack',
  'attempted',
  'succeeded',
  'used',
  'standing',
  'aware',
  'addressesGrader',
  'rationale',
  'evidence',
  'votes',
  'seen',
  'model',
  'endpoint',
  'temperature',
  'promptVersion',
  'promptHash',
  'requestHash',
  'promptTokens',
  'answerTokens',
  'requests',
  'error',
] as const satisfies readonly (keyof ExportedJudgement)[];

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One CSV record (RFC 4180). Cells that a spreadsheet would run as a formula get an apostrophe in front. */
function csvLine(cells: readonly string[]): string {
  const safe = cells.map((text) => {
    const inert = /^[=+\-@\t\r]/u.test(text) && !/^-?[\d.]+(e[+-]?\d+)?$/iu.test(text) ? `'${text}` : text;
    return /[",\r\n]/u.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
  });
  return `${safe.join(',')}\r\n`;
}
