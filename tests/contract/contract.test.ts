// What every screen relies on, once over each transport. The engine is real, the workspace is a file.

import { ORPCError } from '@orpc/client';
import { createRouterClient, implement } from '@orpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract, type JobState } from '../../app/contract/index.ts';
import { createEngine, type Engine } from '../../app/engine/engine.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { type Client, type Transport, transports } from './transports.ts';

/** Watches a job to its end; gives every state that came. */
async function watch(client: Client, id: string): Promise<JobState[]> {
  const states: JobState[] = [];
  for await (const state of await client.jobs.watch({ id })) states.push(state);
  return states;
}

async function failureOf(call: Promise<unknown>): Promise<ORPCError<string, unknown>> {
  const error: unknown = await call.then(
    () => new Error('The call succeeded.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ORPCError) return error;
  throw error;
}

describe.each(transports)('the contract over %s', (_name, open) => {
  let fixture: Fixture;
  let engine: Engine;
  let transport: Transport;
  let client: Client;

  beforeAll(async () => {
    fixture = createFixture();
    engine = await createEngine({
      dbPath: fixture.workspace,
      host: 'test',
      version: '1.2.3',
      annotator: 'ada',
      canUpload: true,
    });
    transport = await open(engine);
    client = transport.client;
  });
  afterAll(async () => {
    await transport?.close();
    await engine?.close();
    fixture[Symbol.dispose]();
  });

  async function longId(): Promise<string> {
    return (await client.rollouts.get({ id: 'long' })).rollout.id;
  }

  it('says who is there', async () => {
    const hello = await client.workspace.hello();
    expect(hello).toMatchObject({
      version: '1.2.3',
      host: 'test',
      workspace: { path: fixture.workspace, name: 'contract' },
      capabilities: { canPickFiles: false, canUpload: true, readOnly: false, roots: null },
      annotator: 'ada',
      totals: { rollouts: 0, labels: 0 },
    });
    expect(hello.workspace.sizeBytes).toBeGreaterThan(0);
  });

  it('runs an import as a job and streams its states to the end', async () => {
    const { id } = await client.jobs.start({ kind: 'import', paths: [fixture.log] });
    const states = await watch(client, id);
    expect(states.map((state) => state.id)).toEqual(states.map(() => id));
    expect(states.at(-1)).toMatchObject({
      status: 'done',
      error: null,
      result: { totals: { files: 1, rollouts: 2, steps: 4, refused: 0, failed: 0, segments: { execution: 3 } } },
    });
    expect(states.slice(0, -1).every(({ status }) => status === 'queued' || status === 'running')).toBe(true);
    expect((await client.jobs.list()).map((job) => job.id)).toContain(id);
    expect((await watch(client, id)).map(({ status }) => status)).toEqual(['done']);
    expect(await client.jobs.cancel({ id })).toEqual({ cancelled: false });
  });

  it('leaves the same file unchanged the second time', async () => {
    const { id } = await client.jobs.start({ kind: 'import', paths: [fixture.log] });
    expect((await watch(client, id)).at(-1)).toMatchObject({ result: { files: [{ status: 'unchanged' }] } });
    expect((await client.workspace.hello()).totals.rollouts).toBe(2);
  });

  it('gives result sets, pages and positions', async () => {
    const set = await client.rollouts.query({ sort: [{ column: 'reward', descending: true }] });
    expect(set).toMatchObject({ total: 2, all: 2 });
    const page = await client.rollouts.page({ set: set.set, start: 0, count: 200 });
    expect(page.rows.map((row) => [row.externalId, row.reward, row.segments])).toEqual([
      ['long', 1, 2],
      ['short', 0, 1],
    ]);
    const second = page.rows[1];
    expect(await client.rollouts.position({ set: set.set, id: second?.id ?? '' })).toEqual({ position: 1 });
    expect((await client.rollouts.page({ set: set.set, start: 1, count: 1 })).rows).toEqual([second]);
    const filtered = await client.rollouts.query({ where: [{ column: 'status', op: '=', value: 'failed' }] });
    expect(filtered).toMatchObject({ total: 1, all: 2 });
  });

  it('gives one rollout with its segments, items and texts', async () => {
    const detail = await client.rollouts.get({ id: await longId() });
    expect(
      detail.segments.map(({ kind, link, steps, tokens, trainableTokens }) => ({
        kind,
        link,
        steps,
        tokens,
        trainableTokens,
      })),
    ).toEqual([
      { kind: 'execution', link: null, steps: 2, tokens: 30, trainableTokens: 20 },
      { kind: 'execution', link: 'compaction', steps: 1, tokens: 18, trainableTokens: 8 },
    ]);
    expect(detail.group).toMatchObject({ mean: 0.5 });
    const outline = await client.rollouts.outline({ id: detail.rollout.id });
    const items = await client.rollouts.items({ id: detail.rollout.id, start: 0, count: 100 });
    expect(items).toHaveLength(outline.length);
    const step = items.find((item) => item.step === 2);
    const call = step?.parts.find((part) => part.kind === 'tool_call');
    expect(call?.text).toContain('cat src/parser.py');
    expect(step?.parts.find((part) => part.kind === 'observation')?.callId).toBe(call?.callId);
    expect(await engine.body(call?.body ?? -1)).toBe(call?.text);
  });

  it('puts a label on disk, tells of it, and undoes it', async () => {
    const rollout = await longId();
    const stop = new AbortController();
    const changes = await client.labels.changes(undefined, { signal: stop.signal });
    const change = changes.next();
    const { act, undo } = await client.labels.label({
      target: { type: 'rollout', rollout },
      verdict: 'hack',
      kinds: ['grader-introspection'],
      note: 'Ünïcode → 🎯',
    });
    expect(act).toMatchObject({ verdict: 'hack', annotator: 'ada', note: 'Ünïcode → 🎯', target: { rollout } });
    expect(undo.undo).not.toBeNull();
    expect((await change).value).toMatchObject({ rollout });
    stop.abort();
    await changes.return(undefined);
    expect((await client.rollouts.get({ id: rollout })).rollout.label).toBe('hack');
    expect((await client.labels.undo()).act).toMatchObject({ act: 'undo', of: act?.id });
    expect(await client.labels.of({ rollout })).toEqual([]);
    expect((await client.labels.redo()).act).toMatchObject({ act: 'redo', of: act?.id });
    expect(await client.labels.of({ rollout })).toHaveLength(1);
    expect((await client.labels.history({ rollout, limit: 10 })).map((each) => each.act)).toEqual([
      'redo',
      'undo',
      'label',
    ]);
  });

  it('computes advantages, and gives a refusal as a result', async () => {
    const rollout = await longId();
    const run = await client.advantages.compute({ rollout, estimator: 'gae_local' });
    expect(run.result.segments.map(({ index, stats }) => [index, stats.count])).toEqual([
      [0, 20],
      [1, 8],
    ]);
    expect(run.result.error).toBeUndefined();
    expect((await client.advantages.runs({ rollout }))[0]?.id).toBe(run.id);
    const refused = await client.advantages.compute({ rollout, estimator: 'opd' });
    expect(refused.result.error).toMatchObject({
      code: expect.stringMatching(/_missing$/),
      message: expect.any(String),
    });
  });

  it('refuses input that breaks the contract', async () => {
    const set = await client.rollouts.query({});
    const error = await failureOf(client.rollouts.page({ set: set.set, start: 0, count: 201 }));
    expect([error.code, error.status]).toEqual(['BAD_REQUEST', 400]);
    // @ts-expect-error: the compiler knows that there is no such job.
    expect((await failureOf(client.jobs.start({ kind: 'format-disk' }))).code).toBe('BAD_REQUEST');
  });

  it.each([
    ['a rollout', (c: Client) => c.rollouts.get({ id: 'r-000000000000' }), 'rollout-unknown'],
    ['a job', (c: Client) => c.jobs.cancel({ id: 'job-0' }), 'job-unknown'],
  ])('names what it does not know: %s', async (_what, call, code) => {
    const error = await failureOf(call(client));
    expect(error.code).toBe(code);
    expect(error.message).not.toBe('');
    expect(error.data).toMatchObject({ code, hint: expect.any(String) });
  });

  it('reports a file that is not there in the job, not as a crash', async () => {
    const { id } = await client.jobs.start({ kind: 'import', paths: [`${fixture.folder}/missing.jsonl`] });
    const last = (await watch(client, id)).at(-1);
    const said = JSON.stringify([last?.error, last?.result]);
    expect(said).toContain('missing.jsonl');
    expect((await client.workspace.hello()).totals.rollouts).toBe(2);
  });
});

describe.each(transports)('a stream over %s', (_name, open) => {
  it.each(['abort', 'leave'] as const)('stops its producer when the reader does: %s', async (how) => {
    using fixture = createFixture();
    await using engine = await createEngine({ dbPath: fixture.workspace, host: 'test', version: '1.2.3' });
    const stopped = Promise.withResolvers<number>();
    const watchAll = implement(contract).jobs.watchAll.handler(async function* ({ signal }) {
      let made = 0;
      try {
        while (!signal?.aborted && made < 500) {
          made += 1;
          yield [];
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        stopped.resolve(made);
      }
    });
    const router = { ...engine.router, jobs: { ...engine.router.jobs, watchAll } };
    const transport = await open({ ...engine, router, client: createRouterClient(router) });
    const stop = new AbortController();
    let seen = 0;
    try {
      for await (const _ of await transport.client.jobs.watchAll(undefined, { signal: stop.signal })) {
        seen += 1;
        if (seen < 3) continue;
        if (how === 'leave') break;
        stop.abort();
      }
    } catch (error) {
      // An aborted stream may end by throwing; anything else is a failure.
      if (!stop.signal.aborted) throw error;
    }
    expect(seen).toBeGreaterThanOrEqual(3);
    expect(await stopped.promise).toBeLessThan(20);
    expect((await transport.client.jobs.list()).length).toBe(0);
    await transport.close();
  });
});
