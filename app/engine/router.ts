// The contract's procedures over the engine's threads. Each is a line or two: what takes more lives beside this file.

import { statSync } from 'node:fs';
import { limitStates } from '../contract/limits.ts';
import { checkJob, checkUnbound } from './access.ts';
import { verifyNow } from './advantages/verify-job.ts';
import { blindDetail, blindJobStream, blindJobs, blindRow } from './blindfold.ts';
import { advantagesProcedures } from './procedures/advantages.ts';
import { createProcedures } from './procedures/base.ts';
import { calibrationProcedures } from './procedures/calibration.ts';
import { exchangeProcedures } from './procedures/exchange.ts';
import { groupProcedures } from './procedures/group.ts';
import { importsProcedures } from './procedures/imports.ts';
import { judgeProcedures } from './procedures/judge.ts';
import { labelsProcedures } from './procedures/labels.ts';
import { annotatorsProcedures, reviewProcedures, schemasProcedures } from './procedures/review.ts';
import { runSetsProcedures, verificationProcedures } from './procedures/run-sets.ts';
import { scanProcedures, tuningProcedures } from './procedures/scan.ts';
import { taskContractProcedures } from './procedures/task-contracts.ts';
import { tokenizerProcedures } from './procedures/tokenizer.ts';
import { valuesProcedures } from './procedures/values.ts';
import { whatIfProcedures } from './procedures/what-if.ts';
import type { Services } from './services.ts';

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
      watch: base.jobs.watch.handler(({ input, signal, context }) => {
        jobs.get(input.id);
        return blindJobStream(context.me, jobs.watch(input.id, signal));
      }),
      watchAll: base.jobs.watchAll.handler(async function* ({ signal, context }) {
        for await (const states of jobs.watchAll(signal)) yield blindJobs(context.me, states);
      }),
      list: base.jobs.list.handler(({ context }) => blindJobs(context.me, jobs.list())),
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
      // A large tokenizer takes a second to read: not on the thread that answers the screens.
      text: base.rollouts.text.handler(({ input }) => work.call('text', input)),
      find: base.rollouts.find.handler(({ input }) => work.call('find', input)),
      facets: base.rollouts.facets.handler(({ input }) => screen.call('facets', input)),
    },
    advantages: advantagesProcedures(procedures),
    values: valuesProcedures(procedures),
    tokenizer: tokenizerProcedures(procedures),
    scan: scanProcedures(procedures),
    labels: labelsProcedures(procedures),
    review: reviewProcedures(procedures),
    exchange: exchangeProcedures(procedures),
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
    tuning: tuningProcedures(procedures),
    verify: {
      run: base.verify.run.handler(({ input, signal }) => verifyNow(work, input, signal)),
    },
    judge: judgeProcedures(procedures),
    taskContracts: taskContractProcedures(procedures),
    calibration: calibrationProcedures(procedures),
    whatIf: whatIfProcedures(procedures),
    group: groupProcedures(procedures),
    runSets: runSetsProcedures(procedures),
    verification: verificationProcedures(procedures),
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
