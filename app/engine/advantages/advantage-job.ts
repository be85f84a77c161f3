// Recomputing advantages of many rollouts: columns and arithmetic in a reader thread, results to the writer.

import type { AdvantagesReport } from '../../contract/advantages.ts';
import type { RolloutAdvantages } from '../../contract/estimator.ts';
import type { CriticStandIn } from '../../contract/verify.ts';
import type { JobContext } from '../jobs.ts';
import type { ReaderApi } from '../threads/reader.ts';
import type { ThreadClient } from '../threads/rpc.ts';
import type { WriterApi } from '../threads/writer.ts';
import type { Computed } from './estimate.ts';
import { runBuffers } from './run-buffers.ts';

/** Rollouts computed at once. Small, so that computing one batch and storing the one before overlap early. */
const batchSize = 16;

/** Computes and stores a run for each rollout (row ids). Refusals are results, not errors. */
export async function runAdvantages(
  threads: { readonly work: ThreadClient<ReaderApi>; readonly writer: ThreadClient<WriterApi> },
  chosen: {
    readonly estimator?: string | undefined;
    readonly preset?: string | undefined;
    readonly params: Readonly<Record<string, unknown>>;
    readonly critic?: CriticStandIn | undefined;
  },
  rolloutIds: readonly number[],
  job: JobContext,
): Promise<AdvantagesReport> {
  const rollouts: RolloutAdvantages[] = [];
  const runs: string[] = [];
  let estimator = chosen.estimator ?? '';
  let params = chosen.params;
  let criticLabel = '';
  job.progress({ phase: 'recomputing advantages', unit: 'rollouts', done: 0, total: rolloutIds.length });
  const compute = (start: number): Promise<Computed[]> => {
    const ids = rolloutIds.slice(start, start + batchSize);
    const computing = threads.work.call('estimateMany', { ...chosen, rolloutIds: ids, cancel: job.cancelFlag });
    // It may fail while the batch before is being stored; the loop sees that when it comes to it.
    computing.catch(() => undefined);
    return computing;
  };
  let next = rolloutIds.length > 0 ? compute(0) : null;
  for (let start = 0; next !== null; start += batchSize) {
    job.checkCancelled();
    const computed: Computed[] = await next;
    next = start + batchSize < rolloutIds.length ? compute(start + batchSize) : null;
    const drafts = computed.map(({ draft }) => draft);
    runs.push(...(await threads.writer.call('storeRuns', { runs: drafts }, { transfer: runBuffers(drafts) })));
    rollouts.push(...computed.map(({ result }) => result));
    const [first] = computed;
    if (first !== undefined) {
      estimator = first.draft.estimator;
      params = first.draft.params;
      criticLabel = first.draft.criticLabel;
    }
    job.progress({ done: Math.min(start + batchSize, rolloutIds.length) });
  }
  return { estimator, params, criticLabel, runs, rollouts };
}
