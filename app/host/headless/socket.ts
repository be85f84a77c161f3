// The WebSocket side of the loopback server: a socket shows its token in its first frame, then speaks the contract.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { tokenOfFrame } from './auth.ts';
import type { ServerLimits } from './limits.ts';
import type { Link, LinkBook } from './links.ts';

/** Close codes of our own. Only 4401 (wrong or missing token, revoked link) is final: a page tries again after the others. */
const closeCodes = { unauthorised: 4401, late: 4408, tooMany: 4429 } as const;

export interface Sockets {
  /** Takes over an upgrade that the policy let through. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Authenticated sockets now. */
  count(): number;
  /** Closes the sockets that came by a link which is no longer good. */
  drop(link: Link): void;
  /** Closes every socket with 1001 (going away). */
  close(): void;
}

/**
 * @param serve Called once for each socket after its token was right, with the link it came by; from then on it owns the
 *   socket's messages.
 */
export function createSockets(
  links: LinkBook,
  limits: ServerLimits,
  serve: (socket: WebSocket, link: Link) => void,
): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });
  const served = new Map<WebSocket, Link>();

  server.on('connection', (socket: WebSocket) => {
    // Errors of a socket (a frame over the limit, a reset) close it; without a listener they would end the process.
    socket.on('error', () => socket.terminate());
    const refuse = (code: number, reason: string): void => {
      socket.close(code, reason);
      // A peer that ignores the close frame is cut.
      setTimeout(() => socket.terminate(), 1_000).unref();
    };
    const deadline = setTimeout(() => refuse(closeCodes.late, 'The token did not come in time.'), limits.authMs);
    socket.once('close', () => clearTimeout(deadline));
    socket.once('message', (data: RawData, isBinary: boolean) => {
      clearTimeout(deadline);
      const given = isBinary ? null : tokenOfFrame(textOf(data));
      const link = given === null ? null : links.linkOf(given);
      if (link === null) {
        refuse(closeCodes.unauthorised, 'The token is missing or wrong.');
        return;
      }
      if (served.size >= limits.sockets) {
        refuse(closeCodes.tooMany, 'Too many windows are open on this server.');
        return;
      }
      served.set(socket, link);
      socket.once('close', () => served.delete(socket));
      keepAlive(socket, limits);
      serve(socket, link);
      socket.send('{"ok":true}');
    });
  });

  return {
    accept(request, socket, head) {
      // As many again may be showing their tokens; beyond that it is no person with browser windows.
      if (server.clients.size >= limits.sockets * 2) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
    },
    count: () => served.size,
    drop(link) {
      for (const [socket, by] of served) {
        if (by !== link) continue;
        // Off at once: what the peer still sends in the closing handshake is not served.
        socket.close(closeCodes.unauthorised, 'This link was revoked.');
        socket.terminate();
      }
    },
    close() {
      for (const socket of server.clients) {
        socket.close(1001, 'The server is closing.');
        setTimeout(() => socket.terminate(), 1_000).unref();
      }
      server.close();
    },
  };
}

/** Pings; cuts a peer that is gone or that lets replies pile up without reading them. */
function keepAlive(socket: WebSocket, limits: ServerLimits): void {
  let alive = true;
  socket.on('pong', () => {
    alive = true;
  });
  const timer = setInterval(() => {
    if (!alive || socket.bufferedAmount > limits.backlogBytes) {
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
  }, limits.heartbeatMs);
  socket.once('close', () => clearInterval(timer));
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
