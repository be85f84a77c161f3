// Tables of text (comma, semicolon or tab between the cells) as rows of JSON objects, streamed. A record that cannot be read
// is an alert with its line; the others go on.

import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import type { IngestEvent } from '../contract/ingest.ts';
import { messageOf, Refusal } from '../shared/errors.ts';
import { alertEvent, alertOf } from './emit.ts';
import type { RowOrEvent } from './formats/trainer-rows.ts';
import { limitRefusal } from './limits.ts';
import type { ReadContext, SourceFile } from './source.ts';

const delimiters = [',', ';', '\t'] as const;

interface CsvHeader {
  readonly delimiter: string;
  readonly columns: readonly string[];
}

/** The header of a table; null when the text does not begin like one: two columns or more, each a plain name. */
export function csvHeader(text: string): CsvHeader | null {
  const begin = text.replace(/^\uFEFF/u, '');
  const end = begin.search(/\r\n|\n|\r/u);
  const line = end < 0 ? begin : begin.slice(0, end);
  if (line.length > 64 * 1024) return null;
  for (const delimiter of delimiters) {
    if (!line.includes(delimiter)) continue;
    const columns = cellsOf(line, delimiter);
    if (columns !== null && columns.length > 1 && columns.every((name) => /^[\p{L}\p{N}_.\- /]{1,200}$/u.test(name))) {
      return { delimiter, columns };
    }
  }
  return null;
}

function cellsOf(line: string, delimiter: string): string[] | null {
  try {
    // Boundary: without `columns` the parser gives lists of texts.
    const records = parseNow(line, { delimiter, trim: true, relax_quotes: true }) as string[][];
    return records[0] ?? null;
  } catch {
    return null;
  }
}

/** What the parser gives for a record with `info`. */
interface InfoRecord {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/**
 * The rows of a table by the names of its header. Throws a Refusal: `csv-invalid` for a file without a header,
 * `limit-exceeded` for too many columns or a record that is too long.
 */
export async function* csvRows(file: SourceFile, context: ReadContext): AsyncGenerator<RowOrEvent> {
  const { limits } = context;
  const header = csvHeader(await beginning(file));
  if (header === null) {
    throw new Refusal(
      'csv-invalid',
      `${file.path}: the first line is no header of a table.`,
      'Write the names of the columns there, with commas between them.',
    );
  }
  const { columns, delimiter } = header;
  if (columns.length > limits.tableColumns) throw limitRefusal('tableColumns', limits, file.path);
  const skipped: IngestEvent[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: limits.lineBytes,
    from: 2,
  });
  parser.on('skip', (error: CsvError | undefined) => {
    const line = error === undefined ? undefined : Number(error.lines);
    const message = `A record cannot be read and was left out: ${messageOf(error)}`;
    skipped.push(alertEvent(alertOf('csv-record', 'error', message, line === undefined ? {} : { place: { line } })));
  });
  const input = Readable.from(file.open());
  input.once('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let number = 0;
  try {
    // Boundary: with `info` the parser gives exactly this.
    for await (const { info, record } of parser as AsyncIterable<InfoRecord>) {
      context.checkCancelled();
      for (const event of skipped.splice(0)) yield { type: 'event', event };
      number++;
      const cells = columns.map((name, i): [string, string | null] => [name, record[i] ?? null]);
      yield { type: 'row', row: { row: Object.fromEntries(cells), number, place: { line: info.lines } } };
      if (record.length > columns.length) {
        const message = `Row ${number} has ${record.length} cells for ${columns.length} columns; the further ones were left out.`;
        const alert = alertOf('csv-cells', 'warning', message, { place: { line: info.lines } });
        yield { type: 'event', event: alertEvent(alert) };
      }
    }
  } finally {
    input.destroy();
  }
  for (const event of skipped) yield { type: 'event', event };
}

async function beginning(file: SourceFile): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    pieces.push(chunk);
    size += chunk.length;
    if (size >= 64 * 1024) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}
