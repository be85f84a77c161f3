// A workspace of many rollouts with masks and critic values and little else, written through the same code as an import; and the
// same arrays as .npy files, for comparing with numpy. Deterministic.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { close, openWriter } from '../../db/open.ts';
import { createIngestWriter } from '../../db/queries/ingest-write.ts';
import { createSource, finishSource } from '../../db/queries/sources.ts';
import { random } from '../../samples/story/tokens.ts';

export interface Shape {
  readonly rollouts: number;
  /** Over all rollouts, about. */
  readonly tokens: number;
}

interface Segment {
  readonly values: Float32Array<ArrayBuffer>;
  readonly mask: Uint8Array<ArrayBuffer>;
}

interface Rollout {
  readonly reward: number;
  readonly segments: readonly Segment[];
}

/** The rollouts of a shape: 1 to 8 segments, actions and observations in turn, seven tokens of ten trainable. */
export function* rolloutsOf({ rollouts, tokens }: Shape): Generator<Rollout> {
  const next = random(7);
  const each = Math.floor(tokens / rollouts);
  for (let r = 0; r < rollouts; r += 1) {
    const count = 1 + (r % 8);
    const segments = Array.from({ length: count }, (_, s): Segment => {
      const length = s === count - 1 ? each - s * Math.floor(each / count) : Math.floor(each / count);
      const values = new Float32Array(length);
      const mask = new Uint8Array(length);
      for (let t = 0; t < length; t += 1) {
        values[t] = next() * 2 - 1;
        mask[t] = t % 100 < 70 ? 1 : 0;
      }
      return { values, mask };
    });
    yield { reward: r % 3 === 0 ? 1 : 0, segments };
  }
}

/** Makes a workspace at `path` that holds the shape. */
export function makeWorkspace(path: string, shape: Shape): void {
  const db = openWriter(path);
  const source = { path: '/bench/values.jsonl', format: 'native', formatTitle: 'Native', size: 1, mtimeMs: 1 };
  const id = createSource(db, source);
  const writer = createIngestWriter(db, id, { format: 'native', path: source.path });
  let r = 0;
  for (const { reward, segments } of rolloutsOf(shape)) {
    const key = `b-${r}`;
    db.transaction(() =>
      writer.write([
        {
          type: 'rollout',
          rollout: { key, externalId: key, groupId: `g-${r >> 3}`, trainingStep: r >> 6, status: 'completed', reward },
        },
        ...segments.flatMap(({ values, mask }, index) => [
          {
            type: 'segment' as const,
            rollout: key,
            segment: {
              index,
              kind: index % 2 === 1 ? ('summary' as const) : ('execution' as const),
              kindSource: 'declared' as const,
            },
          },
          {
            type: 'tokens' as const,
            rollout: key,
            segment: index,
            columns: [
              { name: 'loss_mask', start: 0, data: mask },
              { name: 'values', start: 0, data: values },
            ],
          },
        ]),
        { type: 'rolloutEnd', rollout: key, patch: {} },
      ]),
    );
    r += 1;
  }
  writer.finish();
  finishSource(db, id, { status: 'imported' });
  close(db);
}

function npy(descr: string, length: number, data: Uint8Array<ArrayBuffer>): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${length},), }`;
  const padded = `${header.padEnd(64 * Math.ceil((10 + header.length + 1) / 64) - 11)}\n`;
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 0xff, padded.length >> 8]);
  return Buffer.concat([head, Buffer.from(padded, 'latin1'), data]);
}

/**
 * Writes the arrays as numpy does: `values.npy`, `mask.npy`, `segments.npy` (tokens of each segment), `counts.npy` (segments of
 * each rollout) and `rewards.npy`, everything one after the other; and `ROLLOUT_SEGMENT.{values,mask}.npy` in `each/`.
 */
export async function makeNpy(folder: string, shape: Shape): Promise<void> {
  await mkdir(join(folder, 'each'), { recursive: true });
  const all = [...rolloutsOf(shape)];
  const segments = all.flatMap((rollout) => rollout.segments);
  const bytes = (arrays: readonly (Float32Array | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
    Buffer.concat(arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength)));
  const tokens = segments.reduce((sum, { mask }) => sum + mask.length, 0);
  const save = (name: string, descr: string, length: number, data: Uint8Array<ArrayBuffer>): Promise<void> =>
    writeFile(join(folder, name), npy(descr, length, data));
  const small = (numbers: readonly number[]): Uint8Array<ArrayBuffer> =>
    bytes([new Uint8Array(Float64Array.from(numbers).buffer)]);
  await save('values.npy', '<f4', tokens, bytes(segments.map(({ values }) => values)));
  await save('mask.npy', '|u1', tokens, bytes(segments.map(({ mask }) => mask)));
  await save('segments.npy', '<f8', segments.length, small(segments.map(({ mask }) => mask.length)));
  await save('counts.npy', '<f8', all.length, small(all.map((rollout) => rollout.segments.length)));
  await save('rewards.npy', '<f8', all.length, small(all.map(({ reward }) => reward)));
  for (const [r, rollout] of all.entries()) {
    for (const [s, { values, mask }] of rollout.segments.entries()) {
      await save(`each/${r}_${s}.values.npy`, '<f4', values.length, bytes([values]));
      await save(`each/${r}_${s}.mask.npy`, '|u1', mask.length, bytes([mask]));
    }
  }
}
