// Estimators and their stored runs.

import { presets } from '../../domain/advantage/presets.ts';
import { estimators } from '../../domain/advantage/registry.ts';
import { estimatorInfoOf } from '../../domain/advantage/stats.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Procedures } from './base.ts';

export function advantagesProcedures({ base, writable, services }: Procedures) {
  const { screen, work, writer } = services.threads;
  return {
    estimators: base.advantages.estimators.handler(() => ({
      estimators: estimators.map(estimatorInfoOf),
      presets: [...presets],
    })),
    compute: writable.advantages.compute.handler(async ({ input }) => {
      const { draft } = await work.call('estimateOne', { ...input, tokens: false });
      const [id] = await writer.call('storeRuns', { runs: [draft] });
      const run = (await screen.call('runs', { rollout: input.rollout })).find((stored) => stored.id === id);
      if (run === undefined)
        throw new Refusal('run-unknown', 'The result is gone: the rollout was replaced meanwhile.');
      return run;
    }),
    runs: base.advantages.runs.handler(({ input }) => screen.call('runs', input)),
    allRuns: base.advantages.allRuns.handler(({ input }) => screen.call('allRuns', input)),
    removeRuns: writable.advantages.removeRuns.handler(async ({ input }) => ({
      removed: await writer.call('deleteRuns', input),
    })),
  };
}
