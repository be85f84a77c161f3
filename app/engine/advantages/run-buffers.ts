// The memory of computed columns on its way between threads: moved, not copied.

import type { RunDraft } from '../../../db/queries/runs.ts';

/** The buffers of the runs' columns, each once. */
export function runBuffers(runs: readonly RunDraft[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { columns } of runs) {
    for (const { data } of columns) {
      if (ArrayBuffer.isView(data) && data.buffer instanceof ArrayBuffer) buffers.add(data.buffer);
    }
  }
  return [...buffers];
}
