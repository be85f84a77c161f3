// Who may talk to the loopback server, as pure functions over header values. Nothing here knows sockets.
//
// The threats: any web page can send requests to 127.0.0.1; a rebound DNS name makes such a page same-origin, so the Host
// header is checked exactly, port included; other users of the machine can connect, so data needs the token. Cookies are
// never used: on 127.0.0.1 all ports share them.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Policy {
  /** Values of the Host header that are answered, lower case, port included. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the Origin header that may connect or change something. */
  readonly origins: ReadonlySet<string>;
  /** Any of these opens the data. */
  readonly tokens: readonly string[];
}

/** The header values that decide. Absent headers are undefined. */
export interface RequestFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly authorization: string | undefined;
}

/** `asset`: the screens, no data in them. `data`: needs the token. `upgrade`: a WebSocket, which sends its token first. */
export type RequestKind = 'asset' | 'data' | 'upgrade';

export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly status: 400 | 401 | 403 | 421; readonly reason: string };

/** A new 128-bit token, 22 characters that need no escaping in a URL. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Compares in constant time, whatever the lengths. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Whether an address is one that only this machine can reach. Names other than `localhost` are not resolved: no. */
export function isLoopback(address: string): boolean {
  const bare = bareAddress(address);
  return bare === 'localhost' || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}

/** An address without the brackets of IPv6, lower case. */
export function bareAddress(address: string): string {
  return address.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}

/** An address as it stands in a URL: IPv6 in brackets. */
export function urlHost(address: string): string {
  const bare = bareAddress(address);
  return bare.includes(':') ? `[${bare}]` : bare;
}

/**
 * The policy of a server that listens on `listen:port`.
 * @param hostNames Further names under which people reach it, each `name` or `name:port`: a forwarded port
 *   (`localhost:9000`) or the name of a machine behind a proxy (`logs.example.org:443`).
 */
export function policyFor(
  listen: string,
  port: number,
  hostNames: readonly string[],
  ...tokens: readonly string[]
): Policy {
  const bare = bareAddress(listen);
  const own = bare === '::1' ? ['[::1]', 'localhost'] : isLoopback(bare) ? ['127.0.0.1', 'localhost'] : [];
  if (/^127\./.test(bare) && bare !== '127.0.0.1') own.push(bare);
  const hosts = new Set<string>();
  const origins = new Set<string>();
  const allow = (host: string): void => {
    hosts.add(host);
    origins.add(`http://${host}`);
  };
  for (const name of own) allow(`${name}:${port}`);
  for (const name of hostNames.map((each) => each.toLowerCase())) {
    const named = /:\d+$/.exec(name.replace(/^\[.*\]/, '')) ? name : `${name}:${port}`;
    allow(named);
    origins.add(`https://${named}`);
    // Browsers leave the default port out of Host and Origin.
    const standard = /^(.*):(80|443)$/.exec(named);
    if (standard?.[1] !== undefined) {
      hosts.add(standard[1]);
      origins.add(`${standard[2] === '443' ? 'https' : 'http'}://${standard[1]}`);
    }
  }
  return { hosts, origins, tokens };
}

/**
 * Why a server may not listen there; null when it may. Off the loopback interface the names under which it is reached
 * must be said, because the Host check is what stops rebound names.
 */
export function listenRefusal(listen: string, hostNames: readonly string[], token: string): string | null {
  if (isLoopback(listen)) return null;
  if (token.length < 16) return `Listening on ${listen} needs a token of at least 16 characters.`;
  if (hostNames.length === 0) {
    return `Listening on ${listen} reaches other machines, so the host names under which it is called must be given (--host-name).`;
  }
  return null;
}

/** Decides about one request. The reasons are shown to the person at the browser. */
export function checkRequest(policy: Policy, facts: RequestFacts, kind: RequestKind): Verdict {
  if (facts.host === undefined) return { allowed: false, status: 400, reason: 'The request names no host.' };
  if (!policy.hosts.has(facts.host.toLowerCase())) {
    return {
      allowed: false,
      status: 421,
      reason:
        `This server does not answer to the name ${printable(facts.host)}, only to ${[...policy.hosts].join(', ')}.\n` +
        'If you forward its port under another name or number, start it with --host-name NAME:PORT.',
    };
  }
  if (facts.fetchSite === 'cross-site' || facts.fetchSite === 'same-site') {
    return {
      allowed: false,
      status: 403,
      reason: 'Another site asked for this. Copy the address into the address bar of your browser instead.',
    };
  }
  const changes = kind === 'upgrade' || (facts.method !== 'GET' && facts.method !== 'HEAD');
  if (changes && (facts.origin === undefined || !policy.origins.has(facts.origin.toLowerCase()))) {
    return { allowed: false, status: 403, reason: 'The request does not come from a page of this server.' };
  }
  if (kind === 'data') {
    const given = bearerOf(facts.authorization);
    // All are compared, so that the time says nothing about which one is close.
    if (given === null || !policy.tokens.map((token) => sameToken(given, token)).includes(true)) {
      return {
        allowed: false,
        status: 401,
        reason: 'The token is missing or wrong. Open the address that the server printed, with everything after the #.',
      };
    }
  }
  return { allowed: true };
}

/** The token of an Authorization header; null where there is none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** The token of a WebSocket's first frame, `{"token": "…"}`; null when the frame is anything else. */
export function tokenOfFrame(frame: string): string | null {
  if (frame.length > 1024) return null;
  try {
    const parsed: unknown = JSON.parse(frame);
    if (typeof parsed !== 'object' || parsed === null || !('token' in parsed)) return null;
    return typeof parsed.token === 'string' ? parsed.token : null;
  } catch {
    return null;
  }
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}
