// Request in, Response out: the built screens and the texts too large for a call. The desktop shell serves it under
// app://, the headless host under http://. The Content-Security-Policy and all security headers live only here.
//
// Who may ask is decided by the caller before it calls `handle`; this file decides what there is to get.

import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, isAbsolute, relative, resolve } from 'node:path';

export interface HttpContext {
  /** Folder of the built screens; null when they were not built. */
  readonly renderer: string | null;
  /** Origins besides its own that a page may connect to: the WebSocket's on the headless host. */
  readonly connect: readonly string[];
  /** The whole text of a stored body, or null when there is none of that id. */
  body(id: number): Promise<string | null>;
}

const mimeTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
  ['.ttf', 'font/ttf'],
  ['.wasm', 'application/wasm'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** File names that the bundler derived from their content: they never change under the same name. */
const hashedName = /^assets\/.*-[\w-]{8}\.\w+$/;

const notBuilt =
  'The screens are not built, so there is nothing to show.\n' +
  'Run "npm run build" in the folder of rollscope, then load this page again.\n';

/**
 * The Content-Security-Policy of every response.
 * @param connect Origins besides 'self' for connect-src, such as `ws://127.0.0.1:8123`.
 */
export function contentSecurityPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    // Monaco and virtual lists set style attributes; without this the editor lays out wrongly.
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every response, refusals included. */
function securityHeaders(connect: readonly string[]): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(connect),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
  };
}

/** A plain-text answer that says in words why there is no other. Never cached. */
export function plain(
  status: number,
  text: string,
  connect: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    status,
    headers: {
      ...securityHeaders(connect),
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...extra,
    },
  });
}

/** A JSON answer; never cached. */
export function json(status: number, value: unknown, connect: readonly string[]): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {
      ...securityHeaders(connect),
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  });
}

/**
 * Answers a GET or HEAD: `/` and the files of the built screens, or `/body/<id>` as UTF-8 text, whole or one byte range.
 * Anything else is 404 or 405 with a sentence. Never throws for what a request says.
 */
export async function handle(request: Request, context: HttpContext): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, `${request.method} is not served here.\n`, context.connect, { Allow: 'GET, HEAD' });
  }
  const path = decodedPath(request.url);
  if (path === null) return plain(400, 'The address cannot be read.\n', context.connect);
  const response = path.startsWith('/body/')
    ? await bodyResponse(path.slice('/body/'.length), request.headers.get('range'), context)
    : await assetResponse(path, context);
  if (request.method === 'HEAD') {
    return new Response(null, { status: response.status, headers: response.headers });
  }
  return response;
}

/** The path of a URL with its escapes resolved; null when they are broken or hide a NUL or a backslash. */
function decodedPath(url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return path.includes('\0') || path.includes('\\') ? null : path;
  } catch {
    return null;
  }
}

async function assetResponse(path: string, context: HttpContext): Promise<Response> {
  if (context.renderer === null) return plain(503, notBuilt, context.connect);
  const file = await confinedFile(context.renderer, path === '/' ? 'index.html' : path.slice(1));
  if (file === null) return plain(404, 'There is nothing at this address.\n', context.connect);
  const bytes = await readFile(file.path);
  return new Response(bytes, {
    status: 200,
    headers: {
      ...securityHeaders(context.connect),
      'Content-Type': mimeTypes.get(extname(file.path).toLowerCase()) ?? 'application/octet-stream',
      'Content-Length': String(bytes.byteLength),
      'Cache-Control': hashedName.test(file.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}

/** The regular file of that name inside a folder, links resolved; null when it is missing or lies outside. */
async function confinedFile(folder: string, name: string): Promise<{ path: string; name: string } | null> {
  try {
    const root = await realpath(folder);
    const path = await realpath(resolve(root, name));
    const inside = relative(root, path);
    if (inside === '' || /^\.\.([/\\]|$)/.test(inside) || isAbsolute(inside)) return null;
    if (!(await stat(path)).isFile()) return null;
    return { path, name: inside.replaceAll('\\', '/') };
  } catch {
    return null;
  }
}

async function bodyResponse(name: string, range: string | null, context: HttpContext): Promise<Response> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : null;
  const text = id === null ? null : await context.body(id);
  if (text === null) return plain(404, 'The workspace holds no such text.\n', context.connect);
  const bytes = Buffer.from(text, 'utf8');
  const headers = {
    ...securityHeaders(context.connect),
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Accept-Ranges': 'bytes',
  };
  const wanted = byteRange(range, bytes.byteLength);
  if (wanted === 'whole') {
    return new Response(bytes, { status: 200, headers: { ...headers, 'Content-Length': String(bytes.byteLength) } });
  }
  if (wanted === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes.byteLength}` } });
  }
  const part = bytes.subarray(wanted.start, wanted.end + 1);
  return new Response(part, {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(part.byteLength),
      'Content-Range': `bytes ${wanted.start}-${wanted.end}/${bytes.byteLength}`,
    },
  });
}

/**
 * Reads a Range header over `size` bytes (RFC 9110 §14): one range, `end` inclusive. What is no single byte range is
 * ignored, as the RFC allows, and the whole is served.
 */
export function byteRange(
  header: string | null,
  size: number,
): 'whole' | 'unsatisfiable' | { start: number; end: number } {
  const match = header === null ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}
