// Every limit of the loopback server in one place.

export interface ServerLimits {
  /** Bytes of all request headers. */
  readonly headerBytes: number;
  /** Open TCP connections. */
  readonly connections: number;
  /** Open WebSockets that showed their token. */
  readonly sockets: number;
  /** Time to show the token after a WebSocket opened, milliseconds. */
  readonly authMs: number;
  /** Bytes of one WebSocket message from the page. */
  readonly messageBytes: number;
  /** Bytes waiting to be sent to a page that does not read, before it is disconnected. */
  readonly backlogBytes: number;
  /** A WebSocket that does not answer a ping within this time is closed, milliseconds. */
  readonly heartbeatMs: number;
  /** A connection on which nothing moves is closed, milliseconds. */
  readonly idleMs: number;
  /** Bytes of one uploaded file. */
  readonly uploadBytes: number;
}

export const defaultServerLimits: ServerLimits = {
  headerBytes: 16 * 1024,
  connections: 256,
  sockets: 32,
  authMs: 2_000,
  messageBytes: 16 * 1024 * 1024,
  backlogBytes: 128 * 1024 * 1024,
  heartbeatMs: 30_000,
  idleMs: 60_000,
  uploadBytes: 16 * 1024 * 1024 * 1024,
};
