// Runs one job of the engine to its end, with a progress bar on a terminal, and stops it on Ctrl-C.

import cliProgress from 'cli-progress';
import type { JobRequest, JobState } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Environment } from './command.ts';
import { bytes, count, duration, plural } from './text.ts';

/**
 * Starts a job and waits for it. Ctrl-C cancels it; what it had not finished is undone by the engine.
 * @returns The last state, with `result`.
 * @throws Refusal with the job's own code when it failed, and `cancelled`.
 */
export async function runJob(engine: Engine, request: JobRequest, environment: Environment): Promise<JobState> {
  const { client } = engine;
  const { id } = await client.jobs.start(request);
  const cancel = (): void => {
    // The job may have ended in the meantime; then there is nothing to cancel.
    client.jobs.cancel({ id }).catch(() => undefined);
  };
  environment.signal.addEventListener('abort', cancel, { once: true });
  if (environment.signal.aborted) cancel();
  const show = createProgress(environment);
  try {
    let last: JobState | undefined;
    for await (const state of await client.jobs.watch({ id })) {
      last = state;
      show.update(state);
    }
    if (!last) throw new Refusal('job-lost', `The job ${id} ended without a word.`);
    if (last.status !== 'done') {
      const { code, message, hint } = last.error ?? {
        code: last.status,
        message: `${last.title}: ${last.status}.`,
        hint: null,
      };
      throw new Refusal(code, message, hint ?? undefined);
    }
    return last;
  } finally {
    show.end();
    environment.signal.removeEventListener('abort', cancel);
  }
}

interface Progress {
  update(state: JobState): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line every ten seconds, so that a log of a long import is not silent. */
function createProgress({ output }: Environment): Progress {
  if (!output.live) {
    let said = Date.now();
    return {
      update(state) {
        if (Date.now() - said < 10_000 || state.status !== 'running') return;
        said = Date.now();
        output.note(progressLine(state));
      },
      end: () => undefined,
    };
  }
  const bar = new cliProgress.SingleBar({
    format: '{phase} {bar} {share}  {amount}  {rest}',
    stream: output.stderr,
    fps: 10,
    barsize: 24,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
    emptyOnZero: true,
    forceRedraw: true,
    gracefulExit: false,
    barCompleteChar: '━',
    barIncompleteChar: '─',
  });
  let started = false;
  return {
    update(state) {
      const total = state.total ?? Math.max(state.done, 1);
      const payload = {
        phase: state.phase.padEnd(12).slice(0, 24),
        share:
          state.total === null
            ? '     '
            : `${String(Math.floor((100 * state.done) / Math.max(1, state.total))).padStart(3)} %`,
        amount: amountOf(state),
        rest: restOf(state),
      };
      if (!started) bar.start(total, state.done, payload);
      else {
        bar.setTotal(total);
        bar.update(state.done, payload);
      }
      started = true;
    },
    end() {
      if (started) bar.stop();
    },
  };
}

function amountOf(state: JobState): string {
  const inUnit = state.unit === 'bytes' ? bytes : count;
  const total = state.total === null ? '' : ` / ${inUnit(state.total)}`;
  return `${inUnit(state.done)}${total}${state.unit === 'bytes' ? '' : ` ${state.unit}`}`;
}

function restOf(state: JobState): string {
  const parts: string[] = [];
  if (state.rate !== null)
    parts.push(state.unit === 'bytes' ? `${bytes(state.rate)}/s` : `${count(Math.round(state.rate))}/s`);
  if (state.etaSeconds !== null) parts.push(`${duration(state.etaSeconds * 1000)} left`);
  if (state.rows > 0) parts.push(plural(state.rows, 'row'));
  if (state.alerts > 0) parts.push(plural(state.alerts, 'alert'));
  return parts.join('  ');
}

/** One line on where a job stands. */
function progressLine(state: JobState): string {
  return [state.phase, amountOf(state), restOf(state)].filter((part) => part !== '').join('  ');
}
