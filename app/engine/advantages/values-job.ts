// Joining a values file as a job: read and matched in a reader thread, stored by the writer, whole or not at all.

import type { ValueColumn } from '../../../db/queries/values.ts';
import type { ValuesReport } from '../../contract/values.ts';
import type { Limits } from '../../ingest/limits.ts';
import type { JobContext } from '../jobs.ts';
import type { ReaderApi } from '../threads/reader.ts';
import type { ThreadClient } from '../threads/rpc.ts';
import type { WriterApi } from '../threads/writer.ts';

/** Joins the file at `path`. A cancelled or failed joining leaves nothing behind. */
export async function runJoinValues(
  threads: { readonly work: ThreadClient<ReaderApi>; readonly writer: ThreadClient<WriterApi> },
  request: { readonly path: string; readonly limits: Partial<Limits> },
  job: JobContext,
): Promise<ValuesReport> {
  const { work, writer } = threads;
  job.progress({ phase: 'joining values', unit: 'rollouts', done: 0, total: null });
  const setId = await writer.call('openValueSet', undefined);
  let storing: Promise<unknown> = Promise.resolve();
  let segments = 0;
  try {
    const report = await work.call(
      'joinValues',
      { ...request, cancel: job.cancelFlag },
      {
        onEvent: (event) => {
          // Boundary: the reader emits batches of columns and nothing else.
          const columns = event as readonly ValueColumn[];
          segments += columns.length;
          job.progress({ rows: segments });
          storing = storing.then(() => writer.call('addValues', { setId, columns }));
          // It may fail while the file is still being read; the await below sees that.
          storing.catch(() => undefined);
        },
      },
    );
    await storing;
    job.checkCancelled();
    await writer.call('closeValueSet', { setId, report });
    job.progress({ done: report.rollouts });
    return report;
  } catch (error) {
    await storing.catch(() => undefined);
    await writer.call('dropValueSet', { setId });
    throw error;
  }
}
