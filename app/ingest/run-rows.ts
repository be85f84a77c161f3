// Results of estimators on their way into a file: one row per segment. Written as Parquet, npz or native JSONL.

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { ZipWriter } from './zip-write.ts';

export const runFormats = ['jsonl', 'parquet', 'npz'] as const;
export type RunFormat = (typeof runFormats)[number];

/** One segment of one run. Columns have one entry per token; a masked token is 0. Null: the estimator does not give it. */
export interface RunSegment {
  readonly rollout: string;
  readonly externalId: string;
  readonly group: string | null;
  readonly trainingStep: number | null;
  readonly status: string;
  readonly reward: number | null;
  readonly segment: number;
  readonly kind: string;
  readonly run: string;
  readonly estimator: string;
  readonly estimatorVersion: string;
  readonly preset: string | null;
  /** JSON. */
  readonly params: string;
  readonly critic: string;
  readonly stale: boolean;
  readonly lossMask: Uint8Array | null;
  readonly advantages: Float32Array | null;
  readonly returns: Float32Array | null;
  readonly weights: Float32Array | null;
}

/** Turns rows into the bytes of a file, in pieces. The segments of a rollout come together and in order. */
export interface RunWriter {
  add(rollout: readonly RunSegment[]): Uint8Array | string;
  end(): Uint8Array | string;
}

/** A writer of the format. */
export function runWriter(format: RunFormat): RunWriter {
  switch (format) {
    case 'jsonl':
      return { add: (rollout) => `${nativeRunLine(rollout)}\n`, end: () => '' };
    case 'parquet':
      return parquetRuns();
    case 'npz':
      return npzRuns();
  }
}

const numberColumns = ['advantages', 'returns', 'weights'] as const;

/**
 * A rollscope-rollout/1 line with the recomputed columns in place of logged ones: it imports like any log, and its columns then
 * are what a trainer would have logged. Token ids and texts are not repeated.
 */
function nativeRunLine(rollout: readonly RunSegment[]): string {
  const [first] = rollout;
  const segments = rollout.map((row) => ({
    id: `${row.externalId}/${row.segment}`,
    kind: row.kind,
    parent: row.segment === 0 ? null : `${row.externalId}/${row.segment - 1}`,
    align: 'full',
    prompt_len: 0,
    loss_mask: row.lossMask === null ? null : Array.from(row.lossMask),
    advantages: row.advantages === null ? null : Array.from(row.advantages),
    returns: row.returns === null ? null : Array.from(row.returns),
    ...(row.weights === null ? {} : { loss_weights: { recomputed: Array.from(row.weights) } }),
  }));
  return JSON.stringify({
    format: 'rollscope-rollout/1',
    producer: {
      name: 'rollscope',
      config: {
        estimator: first?.estimator,
        estimator_version: first?.estimatorVersion,
        preset: first?.preset,
        params: first === undefined ? {} : JSON.parse(first.params),
        critic: first?.critic,
        run: first?.run,
        stale: first?.stale,
      },
    },
    rollout_id: first?.externalId,
    rollscope_id: first?.rollout,
    group_id: first?.group,
    training_step: first?.trainingStep,
    status: first?.status,
    reward: { terminal: first?.reward },
    segments,
  });
}

const textColumns = [
  'rollout',
  'external_id',
  'kind',
  'run',
  'estimator',
  'estimator_version',
  'preset',
  'params',
  'critic',
];

function listOf(name: string, type: 'FLOAT' | 'INT32') {
  return [
    { name, repetition_type: 'OPTIONAL' as const, converted_type: 'LIST' as const, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED' as const, num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL' as const, type },
  ];
}

/** Segments per row group: a group is held in memory, with all its tokens. */
const groupRows = 64;

function parquetRuns(): RunWriter {
  const bytes = new ByteWriter();
  const schema = [
    { name: 'root', num_children: textColumns.length + 6 },
    ...textColumns.map((name) => ({
      name,
      type: 'BYTE_ARRAY' as const,
      converted_type: 'UTF8' as const,
      repetition_type: 'OPTIONAL' as const,
    })),
    { name: 'segment', type: 'INT32' as const, repetition_type: 'REQUIRED' as const },
    { name: 'stale', type: 'BOOLEAN' as const, repetition_type: 'REQUIRED' as const },
    ...listOf('loss_mask', 'INT32'),
    ...numberColumns.flatMap((name) => listOf(name, 'FLOAT')),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'rollscope' });
  let waiting: RunSegment[] = [];
  const drain = (): Uint8Array => {
    const out = bytes.getBytes().slice();
    bytes.index = 0;
    return out;
  };
  const write = (): void => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    const texts: readonly ((row: RunSegment) => string | null)[] = [
      (row) => row.rollout,
      (row) => row.externalId,
      (row) => row.kind,
      (row) => row.run,
      (row) => row.estimator,
      (row) => row.estimatorVersion,
      (row) => row.preset,
      (row) => row.params,
      (row) => row.critic,
    ];
    const list = (column: ArrayLike<number> | null): number[] | null => (column === null ? null : Array.from(column));
    // The writer is synchronous: it returns a promise only with a flushing target.
    void writer.write({
      rowGroupSize: rows.length,
      columnData: [
        ...textColumns.map((name, i) => ({ name, data: rows.map((row) => texts[i]?.(row) ?? null) })),
        { name: 'segment', data: Int32Array.from(rows, (row) => row.segment) },
        { name: 'stale', data: rows.map((row) => row.stale) },
        { name: 'loss_mask', data: rows.map((row) => list(row.lossMask)) },
        ...numberColumns.map((name) => ({ name, data: rows.map((row) => list(row[name])) })),
      ],
    });
  };
  return {
    add(rollout) {
      waiting.push(...rollout);
      if (waiting.length >= groupRows) write();
      return drain();
    },
    end() {
      write();
      void writer.finish();
      return drain();
    },
  };
}

/** Arrays named ROLLOUT/SEGMENT/advantages and so on, and `runs.json` with what made them. */
function npzRuns(): RunWriter {
  const zip = new ZipWriter();
  const made: unknown[] = [];
  const owners = new Map<string, string>();
  /** The log's own id; Rollscope's where two rollouts have the same. */
  const nameOf = ({ externalId, rollout }: RunSegment): string => {
    const owner = owners.get(externalId) ?? rollout;
    owners.set(externalId, owner);
    return owner === rollout ? externalId : rollout;
  };
  return {
    add(rollout) {
      const pieces: Uint8Array[] = [];
      for (const row of rollout) {
        const { lossMask, advantages, returns, weights, ...about } = row;
        made.push({ ...about, name: nameOf(row), params: JSON.parse(about.params) });
        const columns = { loss_mask: lossMask, advantages, returns, weights };
        for (const [name, data] of Object.entries(columns)) {
          if (data !== null) pieces.push(zip.add(`${nameOf(row)}/${row.segment}/${name}.npy`, npyBytes(data)));
        }
      }
      return Buffer.concat(pieces);
    },
    end() {
      return Buffer.concat([zip.add('runs.json', Buffer.from(JSON.stringify(made), 'utf8')), zip.end()]);
    },
  };
}

/** A one-dimensional array as .npy, format 1.0. */
function npyBytes(data: Uint8Array | Float32Array): Uint8Array {
  const descr = data instanceof Float32Array ? '<f4' : '|u1';
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${data.length},), }`;
  const padded = `${header.padEnd(64 * Math.ceil((11 + header.length) / 64) - 11)}\n`;
  const head = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 0xff, padded.length >> 8];
  const body = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.concat([Buffer.from(head), Buffer.from(padded, 'latin1'), body]);
}
