// Packed columns back to typed arrays, as the estimators read them.

import type { PackedColumn, PackedRollout } from '../../../app/contract/index.ts';
import {
  type Column,
  type LogprobName,
  logprobNames,
  type RolloutInput,
  type SegmentInput,
} from '../../../app/domain/advantage/types.ts';

/** The rollout of a packed one. An unknown column name is ignored: an older screen may meet a newer host. */
export function unpackRollout(packed: PackedRollout): RolloutInput {
  return {
    id: packed.id,
    groupId: packed.groupId,
    status: packed.status,
    reward: packed.reward,
    bootstrapValue: packed.bootstrapValue,
    segments: packed.segments.map((segment): SegmentInput => {
      const columns = new Map<string, ReturnType<typeof unpackColumn>>();
      for (const column of segment.columns) {
        const data = unpackColumn(column);
        for (const name of column.names) columns.set(name, data);
      }
      const logprobs: Partial<Record<LogprobName, Column>> = {};
      for (const name of logprobNames) {
        const column = columns.get(`logprobs.${name}`);
        if (column !== undefined) logprobs[name] = column;
      }
      return {
        index: segment.index,
        kind: segment.kind,
        lossMask: columns.get('lossMask') ?? new Uint8Array(segment.tokens),
        values: columns.get('values') ?? null,
        rewards: columns.get('rewards') ?? null,
        advantages: columns.get('advantages') ?? null,
        logprobs,
      };
    }),
  };
}

/** Little-endian numbers from base64; every machine that runs a browser is little-endian. */
function unpackColumn(column: PackedColumn): Uint8Array | Int32Array | Float32Array | Float64Array {
  const text = atob(column.data);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  switch (column.dtype) {
    case 'u8':
      return bytes;
    case 'i32':
      return new Int32Array(bytes.buffer);
    case 'f32':
      return new Float32Array(bytes.buffer);
    case 'f64':
      return new Float64Array(bytes.buffer);
  }
}
