// The loopback server as an attacker and as a browser meet it: real sockets, the real engine.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { type HeadlessServer, startServer } from '../../../app/host/headless/server.ts';
import { createUploadFolder, type UploadFolder, uploadName } from '../../../app/host/headless/upload.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { createFixture, type Fixture } from '../../contract/fixture.ts';
import { type Client, openSocket } from '../../contract/transports.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

let fixture: Fixture;
let engine: Engine;
let uploads: UploadFolder;
let server: HeadlessServer;

beforeAll(async () => {
  fixture = createFixture();
  engine = await createEngine({ dbPath: fixture.workspace, host: 'headless', version: '1.2.3', canUpload: true });
  uploads = await createUploadFolder(1000);
  server = await startServer(engine, {
    uploads,
    roots: [uploads.path],
    renderer: null,
    limits: { uploadBytes: 1000, authMs: 300, sockets: 3, messageBytes: 64 * 1024 },
  });
});
afterAll(async () => {
  await server?.close();
  await engine?.close();
  await uploads?.remove();
  fixture[Symbol.dispose]();
});

/** A request with exactly these headers: fetch would not let a test lie about Host, Origin and Sec-Fetch-Site. */
function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${server.port}`, ...options.headers };
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, method: options.method ?? 'GET', headers },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => {
          text += chunk;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

const own = (): string => `http://127.0.0.1:${server.port}`;
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${server.token}` });

describe('the address', () => {
  it('is on loopback, at a free port, with the token in the fragment', () => {
    expect(server.url).toBe(`${own()}/#token=${server.token}`);
    expect(server.token).toHaveLength(22);
  });
  it('is refused where it is taken, or where others could reach it', async () => {
    const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        () => 'served',
        (error: unknown) => (error instanceof Refusal ? error.code : error),
      );
    expect(await codeOf(startServer(engine, { port: server.port }))).toBe('port-taken');
    expect(await codeOf(startServer(engine, { listen: '0.0.0.0' }))).toBe('listen-refused');
    expect(await codeOf(startServer(engine, { listen: '192.0.2.1', hostNames: ['x'] }))).toBe('address-unavailable');
  });
});

describe('requests', () => {
  it('without a token get the screens only', async () => {
    expect((await ask('/')).status).toBe(503);
    expect((await ask('/')).text).toContain('npm run build');
    expect((await ask('/body/1')).status).toBe(401);
    expect((await ask('/upload?name=x', { method: 'PUT', headers: { origin: own() }, body: 'x' })).status).toBe(401);
  });
  it('of another name, site or origin get nothing', async () => {
    expect((await ask('/', { headers: { host: `evil.example:${server.port}` } })).status).toBe(421);
    expect((await ask('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await ask('/body/1', { headers: { ...bearer(), 'sec-fetch-site': 'same-site' } })).status).toBe(403);
    expect(
      (await ask('/upload', { method: 'PUT', headers: { ...bearer(), origin: 'http://127.0.0.1:1' } })).status,
    ).toBe(403);
  });
  it('with the token get texts', async () => {
    const { id } = await engine.client.jobs.start({ kind: 'import', paths: [fixture.log] });
    for await (const _ of await engine.client.jobs.watch({ id }));
    const answer = await ask('/body/1', { headers: bearer() });
    expect([answer.status, answer.headers['cache-control'], answer.text]).toEqual([
      200,
      'no-store',
      await engine.body(1),
    ]);
  });
  it('carry the headers that keep a page in its place, refusals included', async () => {
    for (const headers of [{}, { host: 'evil.example' }]) {
      const answer = await ask('/', { headers });
      expect(answer.headers['content-security-policy']).toContain(
        `connect-src 'self' ws://127.0.0.1:${server.port} ws://localhost:${server.port};`,
      );
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
  it('with too long headers are cut off', async () => {
    expect((await ask('/', { headers: { 'x-long': 'x'.repeat(20_000) } })).status).toBe(431);
  });
});

describe('uploads', () => {
  const put = (name: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(`/upload?name=${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { ...bearer(), origin: own(), ...headers },
      body,
    });

  it('land in a private folder under their own name, and can be imported', async () => {
    const answer = await put('my log.jsonl', readFileSync(fixture.log).subarray(0, 900));
    expect(answer.status).toBe(200);
    const { path } = JSON.parse(answer.text);
    expect(path).toMatch(/my log\.jsonl$/);
    expect(path.startsWith(uploads.path)).toBe(true);
    expect(readFileSync(path)).toHaveLength(900);
  });
  it('cannot choose a place', async () => {
    const { path } = JSON.parse((await put('../../../etc/passwd', 'x')).text);
    expect(path.startsWith(uploads.path)).toBe(true);
    expect(path).toMatch(/\/passwd$/);
  });
  it('over the cap are refused, announced or not, and leave nothing behind', async () => {
    const before = readdirSync(uploads.path).length;
    expect((await put('big', Buffer.alloc(1001))).status).toBe(413);
    const chunked = await put('big', Buffer.alloc(1001), { 'transfer-encoding': 'chunked' });
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.text)).toMatchObject({ code: 'upload-too-large' });
    expect(readdirSync(uploads.path)).toHaveLength(before);
  });
  it('are sent with PUT', async () => {
    expect((await ask('/upload', { method: 'POST', headers: { ...bearer(), origin: own() } })).status).toBe(405);
  });
  it.each([
    ['a.jsonl', 'a.jsonl'],
    ['C:\\logs\\a.jsonl', 'a.jsonl'],
    ['../..', 'upload'],
    ['', 'upload'],
    ['a\u0000b\n', 'a_b_'],
    ['x'.repeat(300), 'x'.repeat(200)],
  ])('%j is stored as %s', (given, expected) => {
    expect(uploadName(given)).toBe(expected);
  });
  it('are gone with their folder', async () => {
    const folder = await createUploadFolder(10);
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });
});

describe('sockets', () => {
  /** Opens a socket and gives how it ended: an HTTP status, or a close code. */
  function ending(path: string, headers: Record<string, string>, first?: string | Buffer): Promise<number> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, reply) => resolve(reply.statusCode ?? 0));
      socket.on('error', () => undefined);
      socket.on('close', (code) => resolve(code));
      socket.on('open', () => {
        if (first !== undefined) socket.send(first);
      });
    });
  }

  it.each([
    ['without origin', '/rpc', () => ({}), 403],
    ['of another origin', '/rpc', () => ({ origin: 'https://evil.example' }), 403],
    ['of a rebound name', '/rpc', () => ({ host: 'evil.example', origin: 'http://evil.example' }), 421],
    ['at another path', '/other', () => ({ origin: own() }), 404],
  ])('%s are not opened', async (_name, path, headers, expected) => {
    expect(await ending(path, headers())).toBe(expected);
  });

  it.each([
    ['a wrong token', '{"token":"wrong"}'],
    ['no token', '{}'],
    ['a call instead of a token', '{"i":"1","p":{"u":"/workspace/hello"}}'],
    ['bytes', Buffer.from('{"token":"x"}')],
  ])('that show %s are closed with 4401', async (_name, first) => {
    expect(await ending('/rpc', { origin: own() }, first)).toBe(4401);
  });

  it('that stay silent are closed with another code, since a slow page may try again', async () => {
    expect(await ending('/rpc', { origin: own() })).toBe(4408);
  });

  it('that send more than the limit are cut', async () => {
    const socket = await openSocket(server.port, server.token);
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.send('x'.repeat(65 * 1024));
    expect(await closed).toBe(1009);
  });

  it('are limited in number', async () => {
    await expect.poll(() => server.windows()).toBe(0);
    const open = await Promise.all([1, 2, 3].map(() => openSocket(server.port, server.token)));
    expect(server.windows()).toBe(3);
    expect(await ending('/rpc', { origin: own() }, JSON.stringify({ token: server.token }))).toBe(4429);
    for (const socket of open) socket.close();
    await expect.poll(() => server.windows()).toBe(0);
  });

  it('cannot import from outside the roots, by any call', async () => {
    const socket = await openSocket(server.port, server.token);
    // Boundary: as in the contract suite, ws stands for the browser's WebSocket.
    const websocket = socket as unknown as ConstructorParameters<typeof RPCLink>[0]['websocket'];
    const client: Client = createORPCClient(new RPCLink({ websocket }));
    await expect(client.jobs.start({ kind: 'import', paths: [fixture.log] })).rejects.toMatchObject({
      code: 'outside-root',
      status: 403,
      data: { code: 'outside-root', hint: expect.stringContaining('--root') },
    });
    await expect(
      client.jobs.start({ kind: 'import', paths: [`${uploads.path}/../../etc/passwd`] }),
    ).rejects.toMatchObject({
      code: 'outside-root',
    });
    const inside = join(uploads.path, 'inside.jsonl');
    writeFileSync(inside, readFileSync(fixture.log));
    const { id } = await client.jobs.start({ kind: 'import', paths: [inside] });
    let status = '';
    for await (const state of await client.jobs.watch({ id })) status = state.status;
    expect(status).toBe('done');
    socket.close();
  });
});

describe('closing', () => {
  it('tells the windows, frees the port and does not wait for idle connections', async () => {
    const second = await startServer(engine, { renderer: null });
    const socket = await openSocket(second.port, second.token);
    const told = new Promise<number>((resolve) => socket.on('close', resolve));
    await second.close();
    expect(await told).toBe(1001);
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(second.port, '127.0.0.1', resolve);
    });
    probe.close();
  });
});
