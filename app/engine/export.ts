// Exports as text, row by row. What is exported comes from the stored data, never from what a screen shows.

import type { Filter } from '../contract/filter.ts';
import type { LabelAct, MarkerRow, RolloutRow } from '../contract/records.ts';
import type { Threads } from './services.ts';

interface ExportRequest {
  readonly what: 'rollouts' | 'markers' | 'labels';
  readonly format: 'jsonl' | 'csv';
  readonly where?: Filter;
  write(chunk: string): Promise<void>;
}

const batchSize = 100;

/** Writes an export chunk by chunk and gives the number of rows. */
export async function exportLines(threads: Threads, request: ExportRequest): Promise<{ rows: number }> {
  if (request.what === 'labels') return exportLabels(threads, request);
  const ids = await threads.work.call('filterIds', { where: request.where ?? [] });
  let rows = 0;
  if (request.format === 'csv')
    await request.write(csvLine(request.what === 'markers' ? markerColumns : rolloutColumns));
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const lines = await batchLines(threads, request, batch);
    rows += lines.length;
    if (lines.length > 0) await request.write(lines.join(''));
  }
  return { rows };
}

async function batchLines(threads: Threads, request: ExportRequest, ids: readonly number[]): Promise<string[]> {
  if (request.what === 'markers') {
    const markers = await threads.work.call('markersOfMany', { rolloutIds: ids });
    return markers.map((marker) =>
      request.format === 'csv'
        ? csvLine(markerColumns.map((column) => cell(marker[column])))
        : `${JSON.stringify(marker)}\n`,
    );
  }
  if (request.format === 'csv') {
    const rows = await threads.work.call('rows', { rolloutIds: ids });
    return rows.map((row) => csvLine(rolloutColumns.map((column) => cell(row[column]))));
  }
  const lines: string[] = [];
  for (const rolloutId of ids) lines.push(`${await threads.work.call('nativeLine', { rolloutId })}\n`);
  return lines;
}

async function exportLabels(threads: Threads, request: ExportRequest): Promise<{ rows: number }> {
  const acts = await threads.work.call('acts', undefined);
  if (request.format === 'csv') await request.write(csvLine(labelColumns));
  for (let start = 0; start < acts.length; start += 1_000) {
    const lines = acts
      .slice(start, start + 1_000)
      .map((act) => (request.format === 'csv' ? csvLine(labelCells(act)) : `${JSON.stringify(act)}\n`));
    await request.write(lines.join(''));
  }
  return { rows: acts.length };
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

const labelColumns = [
  'id',
  'act',
  'of',
  'rollout',
  'target',
  'verdict',
  'kinds',
  'note',
  'confidence',
  'annotator',
  'at',
  'packVersion',
  'origin',
];

function labelCells(act: LabelAct): string[] {
  const { id, of, target, verdict, kinds, note, confidence, annotator, at, packVersion, origin } = act;
  return [
    id,
    act.act,
    of,
    target.rollout,
    JSON.stringify(target),
    verdict,
    kinds.join(' '),
    note,
    confidence,
    annotator,
    at,
    packVersion,
    origin,
  ].map(cell);
}

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
