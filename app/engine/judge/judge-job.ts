// The job that asks the judge about markers: cases from a reader thread, votes from the endpoint or the cache, judgements to the
// writer one by one, so that a cancelled or broken run keeps what it has and the next one goes on from there.

import type { JudgementDraft, JudgeTarget } from '../../../db/queries/judge.ts';
import type {
  JudgeChanges,
  JudgeJob,
  Judgement,
  JudgePreview,
  JudgeReport,
  JudgeSelection,
  JudgeSettings,
} from '../../contract/judge.ts';
import { decide } from '../../domain/judge/votes.ts';
import { Refusal } from '../../shared/errors.ts';
import { cancelledRefusal, type JobContext } from '../jobs.ts';
import type { Services } from '../services.ts';
import type { PreparedCase } from './judge-case.ts';
import { AskError, chatUrl, headersOf } from './judge-client.ts';
import { checkConsent, currentPrompt, judgeState, storedSettings, withChanges } from './judge-settings.ts';
import { bodyOf, CapReached, defaultPace, type Vote, VoteRun } from './judge-votes.ts';

/** Judgements listed in a report; all are stored. */
const listedMax = 5_000;
/** Markers in a row that the endpoint fails before the run gives up. */
const giveUpAfter = 5;
const cancelPollMs = 100;

interface Plan {
  readonly settings: JudgeSettings;
  readonly prompt: { readonly version: number; readonly text: string };
  readonly targets: readonly JudgeTarget[];
}

async function planOf(services: Services, select: JudgeSelection, changed: JudgeChanges): Promise<Plan> {
  const { work } = services.threads;
  const settings = withChanges(await storedSettings(services), changed);
  const { version, text } = await currentPrompt(services);
  const rolloutIds =
    select.rollouts === undefined ? undefined : await work.call('rolloutIds', { uids: select.rollouts });
  const { markers, weak, limit } = select;
  const targets = await work.call('judgeTargets', { rolloutIds, markers, weak, limit });
  return { settings, prompt: { version, text }, targets };
}

/** Cases rollout by rollout in the order of the targets, each with its target. */
async function* casesOf(
  services: Services,
  plan: Plan,
): AsyncGenerator<PreparedCase & { readonly target: JudgeTarget }> {
  for (const [rolloutId, targets] of Map.groupBy(plan.targets, (target) => target.rolloutId)) {
    const cases = await services.threads.work.call('judgeCases', {
      rolloutId,
      markers: targets.map(({ marker }) => marker),
      prompt: plan.prompt.text,
      settings: plan.settings,
    });
    for (const one of cases) {
      const target = targets.find(({ marker }) => marker === one.marker);
      if (target !== undefined) yield { ...one, target };
    }
  }
}

function costOf(settings: JudgeSettings, promptTokens: number, answerTokens: number): number | null {
  const { promptPrice, answerPrice } = settings;
  if (promptPrice === null || answerPrice === null) return null;
  return (promptTokens * promptPrice + answerTokens * answerPrice) / 1e6;
}

/** What a run would send. Sends nothing, needs no consent. */
export async function previewJudge(
  services: Services,
  select: JudgeSelection,
  changed: JudgeChanges,
): Promise<JudgePreview> {
  const plan = await planOf(services, select, changed);
  const { settings, targets } = plan;
  let current = 0;
  let requests = 0;
  let promptTokens = 0;
  let example: JudgePreview['example'] = null;
  for await (const { asked, target, requestHash } of casesOf(services, plan)) {
    if (example === null) {
      const key = services.judgeKey.origin() === 'none' ? null : '[key]';
      example = {
        marker: target.marker,
        rollout: target.rollout,
        headers: Object.entries(headersOf(key)).map(([name, value]) => ({ name, value })),
        body: JSON.stringify(bodyOf(asked, settings, undefined, settings.structured !== 'text'), null, 2),
        maskedCredentials: asked.seen.maskedCredentials,
        estimatedTokens: asked.estimatedTokens,
        truncated: asked.seen.truncated,
      };
    }
    if (select.again !== true && target.judgedWith === requestHash) {
      current += 1;
      continue;
    }
    requests += settings.votes;
    promptTokens += settings.votes * asked.estimatedTokens;
  }
  const answerTokens = requests * settings.answerTokens;
  return {
    endpoint: settings.endpoint,
    url: settings.endpoint === '' ? null : chatUrl(settings.endpoint),
    model: settings.model,
    markers: targets.length,
    current,
    requests,
    promptTokens,
    answerTokens,
    cost: costOf(settings, promptTokens, answerTokens),
    example,
  };
}

/**
 * Runs the job.
 * @throws Refusal `judge-off`, `judge-consent` before anything is sent; `judge-key-refused` and its like when the endpoint
 * will not do; `judge-unreachable` when it fails again and again; `cancelled`. What was judged until then is kept.
 */
export async function runJudge(services: Services, request: JudgeJob, job: JobContext): Promise<JudgeReport> {
  const started = performance.now();
  const plan = await planOf(services, request, request.settings);
  const { settings, prompt, targets } = plan;
  const state = await judgeState(services);
  checkConsent(settings, state, request.consent);
  const key = services.judgeKey.value();
  const warning = state.keyFile?.warning ?? null;
  if (warning !== null) services.options.log?.(warning);
  const { work, writer } = services.threads;
  const stop = new AbortController();
  const poll = setInterval(() => {
    if (Atomics.load(job.cancelFlag, 0) !== 0) stop.abort(cancelledRefusal());
  }, cancelPollMs);
  const run = new VoteRun(settings, key, stop.signal, {
    ...defaultPace,
    ...services.options.judgePace,
  });
  const report = {
    current: 0,
    judged: 0,
    failed: 0,
    capped: 0,
    cachedVotes: 0,
    verdicts: { hack: 0, clean: 0, unsure: 0 },
  };
  let lost = 0;
  let done = 0;
  job.progress({ phase: 'asking the judge', unit: 'markers', done: 0, total: targets.length });

  async function judgeOne({
    asked,
    target,
    requestHash,
  }: PreparedCase & { readonly target: JudgeTarget }): Promise<void> {
    const known = new Map((await work.call('judgeVotes', { requestHash })).map((vote) => [vote.vote, vote.answer]));
    const votes = await Promise.all(
      Array.from({ length: settings.votes }, async (_, number): Promise<Vote & { readonly cached: boolean }> => {
        const cached = known.get(number);
        if (cached !== undefined) {
          return { answer: cached, error: null, requests: 0, promptTokens: 0, answerTokens: 0, cached: true };
        }
        const vote = await run.vote(asked);
        const { answer, promptTokens, answerTokens } = vote;
        if (answer !== null) {
          await writer.call('judgeVote', { requestHash, vote: { vote: number, answer, promptTokens, answerTokens } });
        }
        return { ...vote, cached: false };
      }),
    );
    const draft = draftOf({ asked, target, requestHash, votes, settings, prompt });
    await writer.call('judgement', { draft });
    report.cachedVotes += votes.filter(({ cached }) => cached).length;
    if (draft.verdict === null) report.failed += 1;
    else {
      report.judged += 1;
      report.verdicts[draft.verdict] += 1;
    }
    const unreachable = votes.every(({ error }) => error?.code.startsWith('endpoint-') === true);
    lost = unreachable ? lost + 1 : 0;
    if (lost >= giveUpAfter) {
      const last = votes.findLast(({ error }) => error !== null)?.error?.message ?? '';
      stop.abort(
        new Refusal(
          'judge-unreachable',
          `The judge failed for ${giveUpAfter} markers in a row: ${last}`,
          'What was judged before is kept. Look at the endpoint, then run again.',
        ),
      );
    }
  }

  /** As many markers at a time as there are requests at a time; each gives its place to the next. */
  async function worker(cases: AsyncGenerator<PreparedCase & { readonly target: JudgeTarget }>): Promise<void> {
    for (let next = await cases.next(); next.done !== true; next = await cases.next()) {
      stop.signal.throwIfAborted();
      const one = next.value;
      if (!request.again && one.target.judgedWith === one.requestHash) report.current += 1;
      else if (report.capped > 0) report.capped += 1;
      else {
        try {
          await judgeOne(one);
        } catch (error) {
          if (!(error instanceof CapReached)) throw error;
          report.capped += 1;
        }
      }
      done += 1;
      job.progress({ done, rows: report.judged });
    }
  }

  try {
    const cases = casesOf(services, plan);
    const workers = Array.from({ length: Math.min(settings.concurrency, targets.length) }, () => worker(cases));
    const ended = await Promise.allSettled(
      workers.map((one) =>
        one.catch((error: unknown) => {
          stop.abort(error);
          throw error;
        }),
      ),
    );
    const failure = ended.find((one) => one.status === 'rejected');
    if (failure !== undefined) throw refusalOf(stop.signal.reason ?? failure.reason);
  } finally {
    clearInterval(poll);
  }
  const judgements: Judgement[] = await work.call('judgementsOfMarkers', {
    markers: targets.slice(0, listedMax).map(({ marker }) => marker),
    prompt: prompt.text,
  });
  return {
    endpoint: settings.endpoint,
    model: settings.model,
    promptVersion: prompt.version,
    markers: targets.length,
    ...report,
    requests: run.requests,
    promptTokens: run.promptTokens,
    answerTokens: run.answerTokens,
    cost: costOf(settings, run.promptTokens, run.answerTokens),
    structured: run.requests === 0 ? null : run.structured,
    judgements,
    elapsedMs: performance.now() - started,
  };
}

/** What the endpoint said for good, as a refusal; everything else as it is. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AskError)) return error;
  const hint =
    error.code === 'judge-key-refused'
      ? 'Give the right key on the Judge screen, in the key’s file or in ROLLSCOPE_JUDGE_KEY, then run again.'
      : 'Correct the endpoint or the model, then run again. What was judged before is kept.';
  return new Refusal(error.code, error.message, hint);
}

function draftOf(given: {
  readonly asked: PreparedCase['asked'];
  readonly target: JudgeTarget;
  readonly requestHash: string;
  readonly votes: readonly (Vote & { readonly cached: boolean })[];
  readonly settings: JudgeSettings;
  readonly prompt: Plan['prompt'];
}): JudgementDraft {
  const { asked, target, votes, settings, prompt } = given;
  const decision = decide(
    votes.map(({ answer }) => answer),
    asked.seen.truncated,
  );
  const failure = votes.find(({ error }) => error !== null)?.error ?? null;
  return {
    requestHash: given.requestHash,
    marker: target.marker,
    rollout: target.rollout,
    status: decision === null ? 'failed' : 'judged',
    verdict: decision?.verdict ?? null,
    kind: decision?.speaker.kind ?? asked.kind,
    confidence: decision?.confidence ?? null,
    pHack: decision?.pHack ?? null,
    rationale: decision?.speaker.rationale ?? '',
    evidence: decision?.speaker.evidence ?? [],
    attempted: decision?.attempted ?? null,
    succeeded: decision?.succeeded ?? null,
    used: decision?.used ?? null,
    standing: decision?.standing ?? null,
    aware: decision?.speaker.aware ?? null,
    addressesGrader: votes.some(({ answer }) => answer?.addressesGrader === true),
    votes: votes.map(({ answer, error, cached }) => ({
      verdict: answer?.verdict ?? null,
      pHack: answer?.pHack ?? null,
      rationale: answer?.rationale ?? '',
      error: error === null ? null : error.message,
      cached,
    })),
    seen: asked.seen,
    model: settings.model,
    endpoint: settings.endpoint,
    temperature: settings.temperature,
    promptVersion: prompt.version,
    promptText: prompt.text,
    promptTokens: votes.reduce((sum, vote) => sum + vote.promptTokens, 0),
    answerTokens: votes.reduce((sum, vote) => sum + vote.answerTokens, 0),
    requests: votes.reduce((sum, vote) => sum + vote.requests, 0),
    error: decision === null ? failure : null,
  };
}
