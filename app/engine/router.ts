// The contract's procedures over the engine's threads. Each is a line or two: what takes more lives beside this file.

import { statSync } from 'node:fs';
import { limitStates } from '../contract/limits.ts';
import { evaluate } from '../domain/tuning/evaluate.ts';
import { checkJob, checkUnbound } from './access.ts';
import { blindDetail, blindMarkers, blindRow } from './blindfold.ts';
import { checkPack } from './check-pack.ts';
import { currentPack } from './pack-store.ts';
import { advantagesProcedures } from './procedures/advantages.ts';
import { createProcedures } from './procedures/base.ts';
import { calibrationProcedures } from './procedures/calibration.ts';
import { groupProcedures } from './procedures/group.ts';
import { importsProcedures } from './procedures/imports.ts';
import { judgeProcedures } from './procedures/judge.ts';
import { labelsProcedures } from './procedures/labels.ts';
import { annotatorsProcedures, reviewProcedures, schemasProcedures } from './procedures/review.ts';
import { taskContractProcedures } from './procedures/task-contracts.ts';
import { valuesProcedures } from './procedures/values.ts';
import { whatIfProcedures } from './procedures/what-if.ts';
import type { Services } from './services.ts';
import { verifyNow } from './verify-job.ts';

/** Builds the oRPC router. */
export function createRouter(services: Services) {
  const { threads, jobs, options } = services;
  const { screen, work, writer } = threads;
  const procedures = createProcedures(services);
  const { base, writable } = procedures;

  return base.router({
    workspace: {
      hello: base.workspace.hello.handler(async ({ context }) => {
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
          annotator: context.me.annotator,
          totals: { rollouts, labels, alerts },
          lastLabelAt,
          limits: limitStates(options.limits ?? {}),
        };
      }),
      setAnnotator: writable.workspace.setAnnotator.handler(async ({ input, context }) => {
        checkUnbound(context.me);
        await services.setAnnotator(input.annotator);
        return { annotator: input.annotator };
      }),
    },
    jobs: {
      start: writable.jobs.start.handler(({ input, context }) => {
        checkJob(context.me, input.kind);
        return { id: jobs.start(input) };
      }),
      watch: base.jobs.watch.handler(({ input, signal }) => {
        jobs.get(input.id);
        return jobs.watch(input.id, signal);
      }),
      watchAll: base.jobs.watchAll.handler(({ signal }) => jobs.watchAll(signal)),
      list: base.jobs.list.handler(() => jobs.list()),
      cancel: base.jobs.cancel.handler(({ input }) => ({ cancelled: jobs.cancel(input.id) })),
      interrupted: base.jobs.interrupted.handler(() => screen.call('interruptedJobs', undefined)),
      dismiss: writable.jobs.dismiss.handler(({ input }) => writer.call('dismissJob', input)),
    },
    imports: importsProcedures(procedures),
    rollouts: {
      query: base.rollouts.query.handler(({ input }) => screen.call('query', input)),
      page: base.rollouts.page.handler(async ({ input, context }) => {
        const blind = await services.blind(context.me);
        const page = await screen.call('page', input);
        return blind.size === 0 ? page : { ...page, rows: page.rows.map((row) => blindRow(row, blind)) };
      }),
      position: base.rollouts.position.handler(({ input }) => screen.call('position', input)),
      get: base.rollouts.get.handler(async ({ input, context }) =>
        blindDetail(await screen.call('get', input), await services.blind(context.me), context.me.annotator),
      ),
      outline: base.rollouts.outline.handler(({ input }) => screen.call('outline', input)),
      items: base.rollouts.items.handler(({ input }) => screen.call('items', input)),
      series: base.rollouts.series.handler(({ input }) => screen.call('series', input)),
      token: base.rollouts.token.handler(({ input }) => screen.call('token', input)),
      find: base.rollouts.find.handler(({ input }) => work.call('find', input)),
      facets: base.rollouts.facets.handler(({ input }) => screen.call('facets', input)),
    },
    advantages: advantagesProcedures(procedures),
    values: valuesProcedures(procedures),
    scan: {
      pack: base.scan.pack.handler(async () => {
        const { pack, yaml, createdAt } = await currentPack(screen);
        const { id, version, title, threshold } = pack;
        return { id, version, title, threshold, yaml, current: true, createdAt };
      }),
      check: base.scan.check.handler(({ input }) => checkPack(input.yaml)),
      markers: base.scan.markers.handler(async ({ input, context }) =>
        blindMarkers(await screen.call('markers', input), await services.blind(context.me)),
      ),
    },
    labels: labelsProcedures(procedures),
    review: reviewProcedures(procedures),
    schemas: schemasProcedures(procedures),
    annotators: annotatorsProcedures(procedures),
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
      run: base.verify.run.handler(({ input, signal }) => verifyNow(work, input, signal)),
    },
    judge: judgeProcedures(procedures),
    taskContracts: taskContractProcedures(procedures),
    calibration: calibrationProcedures(procedures),
    whatIf: whatIfProcedures(procedures),
    group: groupProcedures(procedures),
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
