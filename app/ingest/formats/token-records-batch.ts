// Batches of named arrays (npz, safetensors) as token-level records: padded ([samples, tokens] with an attention mask or
// lengths) or packed (one flat run of tokens with cumulative lengths). Arrays that are one value a sample become fields.

import type { IngestEvent, Json } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { alertEvent, alertOf } from '../emit.ts';
import type { NumberArray, NumberData } from '../numbers.ts';
import { columnOf, type FieldName, fieldNames } from './token-records-names.ts';
import { type Cell, rolloutOfRows, type TokenRow, tokenRow } from './token-records-row.ts';
import { rolloutEvents } from './trainer-rollout.ts';

export interface Batch {
  /** How messages call the file. */
  readonly name: string;
  readonly arrays: ReadonlyMap<string, NumberArray>;
  readonly defaults: { readonly trainingStep: number | null; readonly split: string | null };
}

/** Whether arrays of these names may be a batch of token sequences. */
export function isBatch(names: readonly string[]): boolean {
  const known: readonly string[] = [...fieldNames.ids, ...fieldNames.responseIds];
  return names.some((name) => known.includes(name));
}

/** The events of a batch. Throws Refusal('batch-shape') when it has no array of token ids. */
export function* batchEvents(batch: Batch): Generator<IngestEvent> {
  const table = layoutOf(batch);
  const groups = new Map<string, TokenRow[]>();
  for (let sample = 0; sample < table.samples; sample++) {
    const alerts: IngestEvent[] = [];
    const cells = cellsOf(batch, table, sample);
    const row = tokenRow(cells, `sample ${sample}`, { line: sample + 1 }, (alert) => alerts.push(alertEvent(alert)));
    yield* alerts;
    if (row === null) continue;
    const key = row.rolloutId ?? `sample ${sample}`;
    const rows = groups.get(key);
    if (rows === undefined) groups.set(key, [row]);
    else rows.push(row);
  }
  if (table.unknownPadding) {
    const message = `${batch.name} has neither an attention mask nor lengths: padding, if there is any, is shown as tokens.`;
    yield alertEvent(alertOf('padding-unknown', 'warning', message));
  }
  for (const [key, rows] of groups) {
    const made = rolloutOfRows(key, key, rows, batch.defaults);
    if (made === null) continue;
    for (const alert of made.alerts) yield alertEvent(alert);
    yield* rolloutEvents(made.rollout, made.samples);
  }
}

interface Table {
  readonly samples: number;
  /** Tokens of a padded row; null for packed batches. */
  readonly width: number | null;
  /** The positions of a sample's tokens: in its row when padded, in the flat run when packed. */
  positions(sample: number): { readonly from: number; readonly to: number; readonly kept: Int32Array | null };
  readonly unknownPadding: boolean;
  /** The array of ids, or of prompts and responses side by side. */
  readonly ids: readonly NumberArray[];
}

function layoutOf(batch: Batch): Table {
  const find = (field: FieldName): NumberArray | null => {
    for (const name of fieldNames[field]) {
      const found = batch.arrays.get(name);
      if (found !== undefined) return found;
    }
    return null;
  };
  const whole = find('ids');
  const response = find('responseIds');
  const prompt = find('promptIds');
  const ids = whole === null ? [prompt, response].filter((part) => part !== null) : [whole];
  const [first] = ids;
  if (first === undefined || (whole === null && response === null)) {
    throw refusal(batch, `has no array of token ids (${fieldNames.ids.join(', ')})`);
  }
  if (first.shape.length === 1 && ids.length === 1) return packed(batch, first, find('bounds'), find('length'));
  const samples = first.shape[0] ?? 0;
  if (!ids.every((part) => part.shape.length === 2 && part.shape[0] === samples)) {
    throw refusal(batch, `has token ids of shape [${first.shape}]; they should be [samples, tokens], or [tokens]`);
  }
  const width = ids.reduce((sum, part) => sum + (part.shape[1] ?? 0), 0);
  const attention = find('attention');
  const lengths = find('length');
  const masked = attention !== null && attention.shape[0] === samples && attention.shape[1] === width;
  const measured = lengths !== null && lengths.shape.length === 1 && lengths.shape[0] === samples;
  return {
    samples,
    width,
    ids,
    unknownPadding: !masked && !measured,
    positions: (sample) => {
      if (masked) return { from: 0, to: width, kept: keptBy(attention.data, sample * width, width) };
      const length = measured ? (lengths.data[sample] ?? width) : width;
      return { from: 0, to: Math.min(width, Math.max(0, length)), kept: null };
    },
  };
}

function packed(batch: Batch, ids: NumberArray, bounds: NumberArray | null, lengths: NumberArray | null): Table {
  const total = ids.shape[0] ?? 0;
  const ends = bounds !== null ? [...bounds.data] : lengths === null ? [0, total] : cumulative(lengths.data);
  const rising = ends.every((end, i) => Number.isSafeInteger(end) && end >= (i === 0 ? 0 : (ends[i - 1] ?? 0)));
  if (ends.length < 2 || !rising || (ends.at(-1) ?? 0) > total) {
    throw refusal(batch, `has cumulative lengths that do not cut its ${total} tokens into sequences`);
  }
  return {
    samples: ends.length - 1,
    width: null,
    ids: [ids],
    unknownPadding: false,
    positions: (sample) => ({ from: ends[sample] ?? 0, to: ends[sample + 1] ?? 0, kept: null }),
  };
}

/** Lengths as the positions at which one sequence ends and the next begins. */
function cumulative(lengths: NumberData): number[] {
  const ends = [0];
  let sum = 0;
  for (const length of lengths) {
    sum += length;
    ends.push(sum);
  }
  return ends;
}

/** Positions whose attention is on: padding on either side, or in the middle, is left out. */
function keptBy(attention: NumberData, offset: number, width: number): Int32Array {
  const kept = new Int32Array(width);
  let count = 0;
  for (let i = 0; i < width; i++) if ((attention[offset + i] ?? 0) > 0) kept[count++] = i;
  return kept.slice(0, count);
}

function cellsOf(batch: Batch, table: Table, sample: number): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  const position = table.positions(sample);
  const [first, second] = table.ids;
  if (first !== undefined && second === undefined) {
    cells.set('token_ids', tokensAt(first, table, sample, position, 0));
  } else if (first !== undefined && second !== undefined) {
    const offset = first.shape[1] ?? 0;
    cells.set('prompt_ids', tokensAt(first, table, sample, position, 0));
    cells.set('response_ids', tokensAt(second, table, sample, position, offset));
  }
  const idNames: readonly string[] = [...fieldNames.ids, ...fieldNames.promptIds, ...fieldNames.responseIds];
  const structural: readonly string[] = [
    ...idNames,
    ...fieldNames.attention,
    ...fieldNames.length,
    ...fieldNames.bounds,
    'position_ids',
  ];
  for (const [name, values] of batch.arrays) {
    if (structural.includes(name)) continue;
    const narrower = promptOf(values, table, position);
    if (narrower !== null) cells.set('prompt_length', narrower);
    const cell = cellAt(values, table, sample, position, columnOf(name) !== null);
    if (cell !== undefined) cells.set(name, cell);
  }
  return cells;
}

/** Where an array stands over the response only: how many of the kept tokens come before it. */
function promptOf(values: NumberArray, table: Table, position: Position): number | null {
  const own = values.shape[1] ?? 0;
  if (table.width === null || values.shape.length !== 2 || values.shape[0] !== table.samples) return null;
  const before = table.width - own;
  if (before < 2 || own === 0) return null;
  return position.kept === null ? before : position.kept.filter((at) => at < before).length;
}

type Position = ReturnType<Table['positions']>;

function cellAt(
  values: NumberArray,
  table: Table,
  sample: number,
  position: Position,
  isColumn: boolean,
): Cell | undefined {
  const { shape, data } = values;
  if (table.width !== null && shape.length === 2 && shape[0] === table.samples) {
    const own = shape[1] ?? 0;
    // Narrower arrays stand over the end of the row: the response, or all but the first token.
    if (own <= table.width) return tokensAt(values, table, sample, position, table.width - own);
    return undefined;
  }
  if (table.width === null && isColumn && shape.length === 1 && shape[0] === (table.ids[0]?.shape[0] ?? -1)) {
    return data.slice(position.from, position.to);
  }
  if (shape.length === 1 && shape[0] === table.samples) return scalar(data[sample]);
  return undefined;
}

function scalar(value: number | undefined): Json {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/** The values of a sample's kept tokens; positions outside the array (it stands at `offset`) are missing. */
function tokensAt(values: NumberArray, table: Table, sample: number, position: Position, offset: number): NumberData {
  if (table.width === null) return values.data.slice(position.from, position.to);
  const own = values.shape[1] ?? 0;
  const row = values.data.subarray(sample * own, (sample + 1) * own);
  const { from, to, kept } = position;
  if (offset === 0 && kept === null) return row.slice(from, to);
  const count = kept === null ? Math.max(0, to - from) : kept.length;
  const ids = table.ids.includes(values);
  const positions = kept ?? Int32Array.from({ length: count }, (_, i) => from + i);
  // Ids of a prompt and of a response are cut apart; any other array stands over the whole sequence.
  const inside = ids ? positions.filter((at) => at >= offset && at < offset + own) : positions;
  const covered = inside.every((at) => at >= offset && at < offset + own);
  const taken = covered ? row.slice(0, inside.length) : new Float64Array(inside.length);
  for (let i = 0; i < inside.length; i++) taken[i] = row[(inside[i] ?? 0) - offset] ?? Number.NaN;
  return taken;
}

function refusal(batch: Batch, what: string): Refusal {
  return new Refusal(
    'batch-shape',
    `${batch.name} ${what}.`,
    'Name the arrays token_ids, attention_mask (or cu_seqlens), loss_mask, logprobs, values, reward, rollout_id, group_id.',
  );
}
