// The loopback server: the same screens and the same contract as the desktop app, for a browser at the other end of an
// SSH tunnel. It answers one machine, one token, and pages of its own only (auth.ts).

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { jobRequest, namedFile, takeInInput } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { type HttpContext, handle, json, plain } from '../http.ts';
import { rendererFolder } from '../package-root.ts';
import {
  bareAddress,
  bearerOf,
  checkRequest,
  isLoopback,
  listenRefusal,
  type Policy,
  policyFor,
  type RequestFacts,
  type RequestKind,
  urlHost,
} from './auth.ts';
import { defaultServerLimits, type ServerLimits } from './limits.ts';
import { LinkBook, type LinkHolder } from './links.ts';
import { confine } from './roots.ts';
import { createSockets } from './socket.ts';
import type { UploadFolder } from './upload.ts';

export interface ServeOptions {
  /** Address to bind; 127.0.0.1 unless given. */
  readonly listen?: string | undefined;
  /** Port to bind; 0 or absent takes a free one. */
  readonly port?: number | undefined;
  /** Names under which people reach the server besides its own: see `policyFor`. */
  readonly hostNames?: readonly string[] | undefined;
  /** The token of the first link; a new one unless given. */
  readonly token?: string | undefined;
  /** Who gets a link; null stands for the owner. The owner alone unless given. */
  readonly holders?: readonly (LinkHolder | null)[] | undefined;
  /** Where links are kept, for an engine that gives and revokes them; the server's own unless given. */
  readonly links?: LinkBook | undefined;
  /** Where dropped files go; absent where uploads are not taken. The server does not remove it. */
  readonly uploads?: UploadFolder | undefined;
  /** Real paths of the folders from which paths may be imported; null or absent allows any. */
  readonly roots?: readonly string[] | null | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** Folder of the built screens, for tests; found beside the package unless given. */
  readonly renderer?: string | null | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export interface HeadlessServer {
  /** The first link: the address for the browser, token in the fragment. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** One address per holder, in their order; `holder` is null for the owner's. */
  readonly links: readonly { readonly holder: LinkHolder | null; readonly url: string }[];
  /** Windows connected now. */
  windows(): number;
  /** Stops listening, closes every connection. The engine stays open: whoever made it closes it. */
  close(): Promise<void>;
}

/**
 * Serves an engine.
 * @throws Refusal `listen-refused` for an address that is not allowed, `port-taken`, `address-unavailable`.
 */
export async function startServer(engine: Engine, options: ServeOptions = {}): Promise<HeadlessServer> {
  const limits = { ...defaultServerLimits, ...options.limits };
  const listen = bareAddress(options.listen ?? '127.0.0.1');
  const hostNames = options.hostNames ?? [];
  const links = options.links ?? new LinkBook();
  const begun = links.begin(options.holders ?? [null], options.token);
  const [firstLink] = begun;
  if (firstLink === undefined) throw new Error('a server without a link reaches nobody');
  const { token } = firstLink;
  const refusal = listenRefusal(listen, hostNames, token);
  if (refusal !== null) {
    throw new Refusal('listen-refused', refusal, 'Without --listen the server is reached through an SSH tunnel only.');
  }

  const server = createServer({ maxHeaderSize: limits.headerBytes, headersTimeout: 10_000, requestTimeout: 0 });
  server.maxConnections = limits.connections;
  server.timeout = limits.idleMs;
  const port = await bind(server, listen, options.port ?? 0);

  const policy: Policy = {
    ...policyFor(listen, port, hostNames),
    // Links come and go.
    get tokens() {
      return links.all().map((link) => link.token);
    },
  };
  const context: HttpContext = {
    renderer: options.renderer === undefined ? rendererFolder() : options.renderer,
    connect: [...policy.hosts].flatMap((host) =>
      isLoopback(listen) ? [`ws://${host}`] : [`ws://${host}`, `wss://${host}`],
    ),
    body: (id) => engine.body(id),
  };
  const rpc = createRpc(engine, options.roots ?? null);
  const sockets = createSockets(links, limits, (socket, { holder }) => {
    const context = holder === null ? {} : { identity: holder };
    rpc
      .upgrade(socket, { context })
      .catch((error: unknown) => options.log?.(`A window could not be served: ${messageOf(error)}`));
  });

  server.on('request', (request, response) => {
    answer(request, policy, context, mayUpload(request, links) ? options.uploads : undefined)
      .catch((error: unknown) => {
        options.log?.(`${request.method} ${request.url?.split('?')[0]}: ${messageOf(error)}`);
        return plain(500, 'The server failed at this request; its log says why.\n', context.connect);
      })
      .then((reply) => send(reply, request, response))
      // The browser went away in the middle: nothing to answer, nothing to keep.
      .catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const verdict = checkRequest(policy, factsOf(request), 'upgrade');
    if (!verdict.allowed || pathOf(request) !== '/rpc') {
      const status = verdict.allowed ? '404 Not Found' : `${verdict.status} Refused`;
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.accept(request, socket, head);
  });

  const shown = hostNames[0] ?? `${urlHost(listen)}:${port}`;
  const urlOf = (token: string): string => `http://${/:\d+$/.test(shown) ? shown : `${shown}:${port}`}/#token=${token}`;
  links.attach(urlOf, (link) => sockets.drop(link));
  return {
    url: urlOf(token),
    port,
    token,
    links: begun.map((link) => ({ holder: link.holder, url: urlOf(link.token) })),
    windows: () => sockets.count(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.close();
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1_500).unref();
      }),
  };
}

/** Files are brought by who may import: the owner and admins. */
function mayUpload(request: IncomingMessage, links: LinkBook): boolean {
  const given = bearerOf(request.headers.authorization);
  const link = given === null ? null : links.linkOf(given);
  return link !== null && (link.holder === null || link.holder.role === 'admin');
}

/** The contract over a socket; where there are roots, an import is checked against them before the engine hears of it. */
function createRpc(engine: Engine, roots: readonly string[] | null) {
  return new RPCHandler(engine.router, {
    clientInterceptors:
      roots === null
        ? []
        : [
            async ({ next, ...call }) => {
              const name = call.path.join('.');
              if (name === 'imports.inspect' || name === 'imports.preview') {
                const request = namedFile.safeParse(call.input);
                if (!request.success) return next();
                const [path = ''] = await confined([request.data.path], roots);
                return next({ ...call, input: { ...request.data, path } });
              }
              if (name === 'exchange.takeIn') {
                const request = takeInInput.safeParse(call.input);
                if (!request.success) return next();
                const [path = ''] = await confined([request.data.path], roots);
                return next({ ...call, input: { path } });
              }
              const request = name === 'jobs.start' ? jobRequest.safeParse(call.input) : undefined;
              // What does not parse is refused by the contract itself.
              if (request?.success && request.data.kind === 'values') {
                const [path = ''] = await confined([request.data.path], roots);
                return next({ ...call, input: { ...request.data, path } });
              }
              if (!request?.success) return next();
              if (request.data.kind !== 'import' && request.data.kind !== 'follow') return next();
              const paths = await confined(request.data.paths, roots);
              return next({ ...call, input: { ...request.data, paths } });
            },
          ],
  });
}

async function confined(paths: readonly string[], roots: readonly string[]): Promise<string[]> {
  try {
    return await confine(paths, roots);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, hint } = error;
    throw new ORPCError(code, { status: 403, message, data: { code, hint: hint ?? null } });
  }
}

function bind(server: Server, listen: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Refusal('port-taken', `Port ${port} on ${listen} is in use.`, 'Leave --port out to take a free one.')
          : new Refusal('address-unavailable', `Cannot listen on ${listen}:${port}: ${error.message}`),
      );
    });
    server.listen({ host: listen, port, exclusive: true }, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function answer(
  request: IncomingMessage,
  policy: Policy,
  context: HttpContext,
  uploads: UploadFolder | undefined,
): Promise<Response> {
  const path = pathOf(request);
  const kind: RequestKind = path.startsWith('/body/') || path === '/upload' ? 'data' : 'asset';
  const verdict = checkRequest(policy, factsOf(request), kind);
  if (!verdict.allowed) return plain(verdict.status, `${verdict.reason}\n`, context.connect);
  if (path === '/upload') return upload(request, context, uploads);
  const headers = new Headers();
  const range = request.headers.range;
  if (range !== undefined) headers.set('range', range);
  // The host of this URL is never used: it only makes the path absolute.
  return handle(new Request(`http://host${request.url ?? '/'}`, { method: request.method ?? 'GET', headers }), context);
}

async function upload(
  request: IncomingMessage,
  context: HttpContext,
  uploads: UploadFolder | undefined,
): Promise<Response> {
  if (request.method !== 'PUT') return plain(405, 'Uploads are sent with PUT.\n', context.connect, { Allow: 'PUT' });
  if (!uploads)
    return plain(
      403,
      'This link may not upload: the server is read-only, or the link is not an admin’s.\n',
      context.connect,
    );
  const name = new URL(`http://host${request.url ?? '/'}`).searchParams.get('name') ?? '';
  const announced = request.headers['content-length'];
  try {
    const path = await uploads.store(name, request, announced === undefined ? null : Number(announced));
    return json(200, { path }, context.connect);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return json(413, { code: error.code, message: error.message, hint: error.hint ?? null }, context.connect);
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

function factsOf(request: IncomingMessage): RequestFacts {
  const fetchSite = request.headers['sec-fetch-site'];
  return {
    method: request.method ?? 'GET',
    host: request.headers.host,
    origin: request.headers.origin,
    fetchSite: Array.isArray(fetchSite) ? fetchSite.join(',') : fetchSite,
    authorization: request.headers.authorization,
  };
}

async function send(reply: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  // A refused upload may still be sending: answer and hang up rather than read it all.
  if (!request.complete) response.shouldKeepAlive = false;
  if (reply.body === null) {
    response.end();
    return;
  }
  const reader = reply.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    if (response.write(read.value)) continue;
    await new Promise<void>((resolve, reject) => {
      response.once('drain', resolve);
      response.once('close', () => reject(new Error('closed')));
    });
  }
  response.end();
}
