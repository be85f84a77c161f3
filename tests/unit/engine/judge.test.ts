// The judge as a job, against a server that behaves badly in every way there is: each ends in the right state, nothing is sent
// without consent, and the key is in nothing that is stored.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobState } from '../../../app/contract/jobs.ts';
import { type JudgeChanges, type JudgeReport, judgeReport } from '../../../app/contract/judge.ts';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { chatUrl, retryAfterOf } from '../../../app/engine/judge/judge-client.ts';
import { type Act, answers, json, says, scriptedServer } from '../../fixtures/judge-server.ts';

const samples = resolve(import.meta.dirname, '../../../samples');
const key = 'key-under-test-7f3b9c';
let folder: string;
let engine: Engine;
/** Everything that the engine said at a terminal. */
let log: string[];

const open = (): Promise<Engine> =>
  createEngine({
    dbPath: join(folder, 'w.rollscope'),
    host: 'test',
    version: 'test',
    annotator: 'ada',
    samplesDir: samples,
    indexAfterMs: null,
    judgePace: { retries: 2, firstDelayMs: 5, longestWaitMs: 400 },
    log: (line) => log.push(line),
  });

// One workspace for all tests, with a marker in each of eight rollouts. Every server has an address of its own, so that no test
// finds the answers of another in the cache.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-judge-'));
  log = [];
  const lines = readFileSync(join(samples, 'tally/step_12.jsonl'), 'utf8').trimEnd();
  const copies = Array.from({ length: 8 }, (_, i) =>
    lines.replaceAll('tally-12-', `copy-${i}-`).replaceAll('accounting', `accounting${i}`),
  );
  writeFileSync(join(folder, 'copies.jsonl'), `${copies.join('\n')}\n`);
  engine = await open();
  const { id } = await engine.client.jobs.start({ kind: 'import', paths: [join(folder, 'copies.jsonl')] });
  for await (const _ of await engine.client.jobs.watch({ id }));
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly settings?: JudgeChanges;
  readonly limit?: number;
  readonly again?: boolean;
  readonly consent?: boolean;
  readonly during?: (state: JobState) => void;
}

async function judge(endpoint: string, { settings, limit = 1, again = false, consent = true, during }: Run = {}) {
  const { id } = await engine.client.jobs.start({
    kind: 'judge',
    limit,
    again,
    settings: { endpoint, model: 'tester', votes: 1, timeoutSeconds: 1, ...settings },
    ...(consent ? { consent: endpoint } : {}),
  });
  let last: JobState | undefined;
  for await (const state of await engine.client.jobs.watch({ id })) {
    last = state;
    during?.(state);
  }
  if (last === undefined) throw new Error('the job gave no state');
  return last;
}

async function report(script: readonly Act[], run: Run = {}): Promise<{ report: JudgeReport; requests: number }> {
  await using server = await scriptedServer(script);
  const job = await judge(server.endpoint, run);
  if (job.status !== 'done') throw new Error(`${job.status}: ${job.error?.message}`);
  return { report: judgeReport.parse(job.result), requests: server.asked.length };
}

describe('a run', () => {
  it('stores judgements with quotes that were checked, and changes no label', async () => {
    const before = await engine.client.labels.history({});
    const { report: done } = await report([answers()], { limit: 3, settings: { votes: 3 } });
    expect(done).toMatchObject({ judged: done.markers, failed: 0, structured: true, requests: done.markers * 3 });
    const [one] = done.judgements;
    expect(one).toMatchObject({
      verdict: 'hack',
      confidence: 1,
      pHack: expect.closeTo(0.9),
      stale: false,
      promptVersion: 1,
    });
    expect(one?.votes).toHaveLength(3);
    expect(one?.evidence[0]?.start).toBe(0);
    expect(await engine.client.labels.history({})).toEqual(before);
    expect(await engine.client.judge.of({ rollout: one?.rollout ?? '' })).toContainEqual(one);
  });

  it('sends nothing without consent, and nothing while it is off', async () => {
    await using server = await scriptedServer([answers()]);
    expect((await judge(server.endpoint, { consent: false })).error?.code).toBe('judge-consent');
    expect((await judge('', { consent: false })).error?.code).toBe('judge-off');
    await engine.client.judge.setConsent({ endpoint: 'http://127.0.0.1:9/v1' });
    expect((await judge(server.endpoint, { consent: false })).error?.code).toBe('judge-consent');
    await engine.client.judge.preview({ settings: { endpoint: server.endpoint, model: 'tester' } });
    expect(server.asked).toHaveLength(0);
    await engine.client.judge.setConsent({ endpoint: server.endpoint });
    expect((await judge(server.endpoint, { consent: false })).status).toBe('done');
    expect(server.asked).toHaveLength(1);
  });

  it('sends what the preview shows, but for the fence', async () => {
    await using server = await scriptedServer([answers()]);
    const settings = { endpoint: server.endpoint, model: 'tester', votes: 1 };
    const preview = await engine.client.judge.preview({ settings, limit: 1 });
    await judge(server.endpoint);
    const plain = (body: string): unknown => JSON.parse(body.replace(/data-[0-9a-f]{16}/gu, 'data'));
    expect(plain(server.asked[0]?.body ?? '')).toEqual(plain(preview.example?.body ?? ''));
    const fences = new Set(server.asked.map(({ body }) => /<data-([0-9a-f]{16})>/u.exec(body)?.[1]));
    await judge(server.endpoint, { settings: { temperature: 0.1 } });
    fences.add(/<data-([0-9a-f]{16})>/u.exec(server.asked[1]?.body ?? '')?.[1]);
    expect(fences.size).toBe(2);
  });

  it('asks nothing twice, and asks again when the input changed', async () => {
    await using server = await scriptedServer([answers()]);
    await judge(server.endpoint);
    const second = judgeReport.parse((await judge(server.endpoint)).result);
    expect(second).toMatchObject({ current: 1, judged: 0, requests: 0 });
    const third = judgeReport.parse((await judge(server.endpoint, { again: true })).result);
    expect(third).toMatchObject({ judged: 1, requests: 0, cachedVotes: 1 });
    await engine.client.judge.savePrompt({ text: 'Is this {{kind}}? {{condition}}' });
    const rollout = third.judgements[0]?.rollout ?? '';
    expect((await engine.client.judge.of({ rollout }))[0]?.stale).toBe(true);
    const fourth = judgeReport.parse((await judge(server.endpoint)).result);
    expect(fourth).toMatchObject({ judged: 1, requests: 1, promptVersion: 2 });
    expect(fourth.judgements[0]?.stale).toBe(false);
    const history = await engine.client.judge.history({ marker: fourth.judgements[0]?.marker ?? '' });
    expect(history.filter((one) => one.endpoint === server.endpoint)).toHaveLength(3);
    const shipped = (await engine.client.judge.prompts()).find(({ version }) => version === 1);
    await engine.client.judge.savePrompt({ text: shipped?.text ?? '' });
    expect((await engine.client.judge.prompts()).map(({ version, current }) => [version, current])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('keeps what it has when it is cancelled, and goes on from there', async () => {
    let stuck = true;
    await using server = await scriptedServer([
      (response, asked, number) => {
        if (number < 2 || !stuck) answers()(response, asked, number);
      },
    ]);
    const run = { limit: 5, settings: { concurrency: 1, timeoutSeconds: 60 } };
    const job = await judge(server.endpoint, {
      ...run,
      during: ({ id, done }) => {
        if (done >= 2) void engine.client.jobs.cancel({ id });
      },
    });
    expect(job.status).toBe('cancelled');
    stuck = false;
    const next = judgeReport.parse((await judge(server.endpoint, run)).result);
    expect(next).toMatchObject({ current: 2, judged: 3, requests: 3 });
    expect(next.judgements).toHaveLength(5);
  });

  it('ends at its caps', async () => {
    const { report: requests } = await report([answers()], { limit: 5, settings: { maxRequests: 2, concurrency: 1 } });
    expect(requests).toMatchObject({ judged: 2, requests: 2, capped: requests.markers - 2 });
    const { report: tokens } = await report([answers()], { limit: 5, settings: { maxTokens: 100 } });
    expect(tokens).toMatchObject({ judged: 0, requests: 0, capped: tokens.markers });
  });

  it('counts the cost', async () => {
    const { report: done } = await report([answers()], { settings: { promptPrice: 2, answerPrice: 10 } });
    expect(done.cost).toBeCloseTo((1_000 * 2 + 200 * 10) / 1e6, 9);
  });
});

const html: Act = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html>Please log in</html>');
};
const brokenJson: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"choices": [{"message": {"content": "{\\"ver');
};
const cutStream: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"choices": [');
  setTimeout(() => response.destroy(), 10);
};
const silent: Act = () => undefined;
const drip: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};
const huge: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = `"${'x'.repeat(1024 * 1024)}"`;
  let sent = 0;
  const more = (): void => {
    while (sent < 64 && response.write(chunk)) sent += 1;
    if (sent < 64) response.once('drain', more);
    else response.end();
  };
  more();
};

describe('a server that behaves badly', () => {
  // Passing troubles: the next attempt is good.
  it.each<[string, Act]>([
    ['500', json(500, { error: { message: 'worker died' } })],
    ['429 without Retry-After', json(429, { error: { message: 'slow down' } })],
    ['429 with Retry-After', json(429, {}, { 'retry-after': '0.2' })],
    ['503 with a date far away', json(503, {}, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' })],
    ['broken JSON', brokenJson],
    ['a cut stream', cutStream],
    ['no answer', silent],
    ['a slow drip', drip],
    ['the wrong content type', html],
    ['an error with status 200', json(200, { error: { message: 'overloaded' } })],
    ['a lost connection', (response) => response.destroy()],
  ])('is asked again after %s', async (_name, act) => {
    const { report: done, requests } = await report([act, answers()]);
    expect(done).toMatchObject({ judged: 1, failed: 0 });
    expect(requests).toBe(2);
  });

  // Lasting troubles: the marker has failed, which is not clean.
  it.each<[string, Act, string, number]>([
    ['500 for ever', json(500, { error: { message: 'down' } }), 'endpoint-failed', 3],
    ['HTML for ever', html, 'endpoint-not-json', 3],
    ['a huge reply', huge, 'reply-too-large', 1],
    [
      'a refusal',
      says('', { message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' } }),
      'model-refused',
      1,
    ],
    ['a content filter', says('', { finish_reason: 'content_filter' }), 'model-refused', 1],
    ['an answer cut at its length', says('{"evidence": [', { finish_reason: 'length' }), 'reply-cut', 1],
    ['an empty answer', says(' '), 'reply-empty', 1],
    ['prose', says('It looks fine to me.'), 'reply-not-json', 2],
    ['the wrong schema', says('{"verdict": "innocent", "score": 3}'), 'reply-shape', 2],
    [
      'invented quotes',
      answers({ evidence: [{ piece: 1, role: 'sink', quote: 'never said by anyone' }] }),
      'reply-unfounded',
      2,
    ],
    ['a request too long for it', json(400, { error: { message: 'context length exceeded' } }), 'endpoint-refused', 2],
  ])('fails the marker after %s', async (_name, act, code, requests) => {
    const done = await report([act]);
    expect(done.report).toMatchObject({ judged: 0, failed: 1, verdicts: { hack: 0, clean: 0, unsure: 0 } });
    expect(done.report.judgements[0]).toMatchObject({ status: 'failed', verdict: null, error: { code } });
    expect(done.requests).toBe(requests);
  });

  it('may refuse the schema: the rest is asked in plain text', async () => {
    const noSchema: Act = (response, asked, number) => {
      if (asked.body.includes('response_format')) {
        json(400, { error: { message: 'response_format is not supported' } })(response, asked, number);
      } else answers()(response, asked, number);
    };
    const { report: done, requests } = await report([noSchema], { limit: 3, settings: { concurrency: 1 } });
    expect(done).toMatchObject({ structured: false, judged: done.markers });
    expect(requests).toBe(done.markers + 1);
  });

  it.each<[string, Act, string]>([
    ['refuses the key', json(401, { error: { message: `bad key ${key}` } }), 'judge-key-refused'],
    ['does not know the model', json(404, { error: { message: 'no such model' } }), 'endpoint-unknown'],
    [
      'redirects',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/v1/chat/completions' }).end(),
      'endpoint-redirected',
    ],
  ])('ends the run when it %s', async (_name, act, code) => {
    await using server = await scriptedServer([act]);
    await engine.client.judge.setKey({ key });
    const job = await judge(server.endpoint, { limit: 5, settings: { concurrency: 1 } });
    expect(job.status).toBe('failed');
    expect(job.error?.code).toBe(code);
    expect(job.error?.message).not.toContain(key);
    expect(server.asked).toHaveLength(1);
  });

  it('is given up when it fails marker after marker', async () => {
    await using server = await scriptedServer([json(500, {})]);
    const job = await judge(server.endpoint, { limit: 50, settings: { concurrency: 1 } });
    expect(job.error?.code).toBe('judge-unreachable');
    expect(server.asked.length).toBe(15);
  });
});

describe('the key', () => {
  it('reaches the endpoint and nothing else, even when the server echoes it', async () => {
    const echo: Act = (response, asked, number) =>
      answers({ rationale: `You sent ${String(asked.headers.authorization)}` })(response, asked, number);
    await using server = await scriptedServer([json(500, { error: { message: `saw ${key}` } }), echo]);
    const state = await engine.client.judge.setKey({ key });
    expect(state.key).toBe('memory');
    const preview = await engine.client.judge.preview({
      settings: { endpoint: server.endpoint, model: 'tester' },
      limit: 1,
    });
    const job = await judge(server.endpoint);
    expect(server.asked[1]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(job.status).toBe('done');
    const exported: string[] = [];
    for (const what of ['rollouts', 'markers', 'labels'] as const) {
      await engine.exportTo({ what, format: 'jsonl', write: async (chunk) => void exported.push(chunk) });
    }
    const told = JSON.stringify([state, preview, job, await engine.client.jobs.list(), log, exported]);
    expect(told).not.toContain(key);
    await engine.close();
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(stored.join('\n')).toContain('tester');
    expect(stored.join('\n')).not.toContain(key);
    engine = await open();
    expect((await engine.client.judge.state()).key).toBe('none');
  });
});

describe('addresses', () => {
  it('find chat completions under a base', () => {
    expect(chatUrl('http://a:1')).toBe('http://a:1/v1/chat/completions');
    expect(chatUrl('http://a:1/v1/')).toBe('http://a:1/v1/chat/completions');
    expect(chatUrl('https://a/openai/v1/chat/completions?api-version=1')).toBe(
      'https://a/openai/v1/chat/completions?api-version=1',
    );
  });
  it('read Retry-After as seconds and as a date', () => {
    expect(retryAfterOf('1.5', 0)).toBe(1_500);
    expect(retryAfterOf('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6_000);
    expect(retryAfterOf('soon', 0)).toBeNull();
  });
});
