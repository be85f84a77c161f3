// The contract's procedures over the engine's threads. Each is a line or two: what takes more lives beside this file.

import { statSync } from 'node:fs';
import { presets } from '../domain/advantage/presets.ts';
import { estimators } from '../domain/advantage/registry.ts';
import { estimatorInfoOf } from '../domain/advantage/stats.ts';
import { evaluate } from '../domain/tuning/evaluate.ts';
import { Refusal } from '../shared/errors.ts';
import { checkPack } from './check-pack.ts';
import { currentPack } from './pack-store.ts';
import { createProcedures } from './procedures/base.ts';
import type { Services } from './services.ts';
import { checkExpected } from './verify-job.ts';

/** Builds the oRPC router. */
export function createRouter(services: Services) {
  const { threads, jobs, options } = services;
  const { screen, work, writer, parser } = threads;
  const { base, writable } = createProcedures(services);

  /** Who labels, and the pack that was in force while they did. */
  async function labeller() {
    const { pack } = await currentPack(screen);
    return { annotator: services.annotator(), packId: pack.id, packVersion: pack.version };
  }
  function labelled<T extends { act: { target: { rollout: string } } | null }>(done: T): T {
    if (done.act !== null) {
      services.labelChanges.publish('change', { rollout: done.act.target.rollout, at: new Date().toISOString() });
    }
    return done;
  }

  return base.router({
    workspace: {
      hello: base.workspace.hello.handler(async () => {
        const { rollouts, labels, alerts, lastLabelAt } = await screen.call('totals', undefined);
        return {
          version: options.version,
          workspace: { path: options.dbPath, name: services.workspaceName, sizeBytes: sizeOf(options.dbPath) },
          host: options.host,
          capabilities: {
            canPickFiles: options.canPickFiles === true,
            canUpload: options.canUpload === true,
            readOnly: options.readOnly === true,
            roots: options.roots === undefined || options.roots === null ? null : [...options.roots],
          },
          annotator: services.annotator(),
          totals: { rollouts, labels, alerts },
          lastLabelAt,
        };
      }),
      setAnnotator: writable.workspace.setAnnotator.handler(async ({ input }) => {
        await services.setAnnotator(input.annotator);
        return { annotator: input.annotator };
      }),
    },
    jobs: {
      start: writable.jobs.start.handler(({ input }) => ({ id: jobs.start(input) })),
      watch: base.jobs.watch.handler(({ input, signal }) => {
        jobs.get(input.id);
        return jobs.watch(input.id, signal);
      }),
      watchAll: base.jobs.watchAll.handler(({ signal }) => jobs.watchAll(signal)),
      list: base.jobs.list.handler(() => jobs.list()),
      cancel: base.jobs.cancel.handler(({ input }) => ({ cancelled: jobs.cancel(input.id) })),
    },
    imports: {
      list: base.imports.list.handler(() => screen.call('sources', undefined)),
      formats: base.imports.formats.handler(() => parser.call('formats', undefined)),
    },
    rollouts: {
      query: base.rollouts.query.handler(({ input }) => screen.call('query', input)),
      page: base.rollouts.page.handler(({ input }) => screen.call('page', input)),
      position: base.rollouts.position.handler(({ input }) => screen.call('position', input)),
      get: base.rollouts.get.handler(({ input }) => screen.call('get', input)),
      outline: base.rollouts.outline.handler(({ input }) => screen.call('outline', input)),
      items: base.rollouts.items.handler(({ input }) => screen.call('items', input)),
      series: base.rollouts.series.handler(({ input }) => screen.call('series', input)),
      token: base.rollouts.token.handler(({ input }) => screen.call('token', input)),
      find: base.rollouts.find.handler(({ input }) => work.call('find', input)),
      facets: base.rollouts.facets.handler(({ input }) => screen.call('facets', input)),
    },
    advantages: {
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
    },
    scan: {
      pack: base.scan.pack.handler(async () => {
        const { pack, yaml, createdAt } = await currentPack(screen);
        const { id, version, title, threshold } = pack;
        return { id, version, title, threshold, yaml, current: true, createdAt };
      }),
      check: base.scan.check.handler(({ input }) => checkPack(input.yaml)),
      markers: base.scan.markers.handler(({ input }) => screen.call('markers', input)),
    },
    labels: {
      label: writable.labels.label.handler(async ({ input }) => {
        const rollout = await screen.call('uidOf', { name: input.target.rollout });
        if (rollout === null) {
          throw new Refusal(
            'rollout-unknown',
            `There is no rollout ${input.target.rollout}.`,
            'It may have been removed; look in the library.',
          );
        }
        const target = { ...input.target, rollout };
        return labelled(await writer.call('label', { input: { ...input, target }, by: await labeller() }));
      }),
      undo: writable.labels.undo.handler(async () => labelled(await writer.call('undo', { by: await labeller() }))),
      redo: writable.labels.redo.handler(async () => labelled(await writer.call('redo', { by: await labeller() }))),
      state: base.labels.state.handler(() => screen.call('undoState', { annotator: services.annotator() })),
      of: base.labels.of.handler(({ input }) => screen.call('labelsOf', input)),
      history: base.labels.history.handler(({ input }) => screen.call('labelHistory', input)),
      changes: base.labels.changes.handler(async function* ({ signal }) {
        yield* services.labelChanges.subscribe('change', signal === undefined ? {} : { signal });
      }),
    },
    agreement: {
      // On the thread of the jobs: a bootstrap must not make a screen wait.
      report: base.agreement.report.handler(({ input }) => work.call('agreement', input)),
      units: base.agreement.units.handler(({ input }) => screen.call('agreementUnits', input)),
    },
    search: {
      texts: base.search.texts.handler(({ input, signal }) => services.search.texts(input, signal)),
      state: base.search.state.handler(() => services.search.state()),
    },
    tuning: {
      evaluate: base.tuning.evaluate.handler(async ({ input }) => {
        const { pack, rowId } = await currentPack(work);
        const { rows, markers } = await work.call('tuning', { packRowId: rowId ?? -1 });
        return evaluate({
          pack: { id: pack.id, version: pack.version, threshold: input.threshold ?? pack.threshold },
          rules: pack.rules,
          rollouts: rows.map(({ rules, score, ...row }) => ({ ...row, score: score ?? 0, ruleHits: rules })),
          markerLabels: markers,
        });
      }),
    },
    verify: {
      run: base.verify.run.handler(async ({ input }) => {
        checkExpected(input.expect);
        const rolloutIds = await work.call('rolloutIds', { uids: input.rollouts });
        return { rollouts: await work.call('verify', { ...input, rolloutIds, cancel: null }) };
      }),
    },
  });
}
export type EngineRouter = ReturnType<typeof createRouter>;

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
