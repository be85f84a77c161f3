// The three ways to the engine: in process, over a MessagePort (as in the desktop app), over the WebSocket of the real
// headless server.

import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { WebSocket } from 'ws';
import type { Contract } from '../../app/contract/index.ts';
import type { Engine } from '../../app/engine/engine.ts';
import { startServer } from '../../app/host/headless/server.ts';

export type Client = ContractRouterClient<Contract>;

export interface Transport {
  readonly client: Client;
  close(): Promise<void>;
}

export const transports: readonly (readonly [name: string, open: (engine: Engine) => Promise<Transport>])[] = [
  ['in process', inProcess],
  ['MessagePort', overPort],
  ['WebSocket', overSocket],
];

async function inProcess(engine: Engine): Promise<Transport> {
  return { client: engine.client, close: async () => undefined };
}

async function overPort(engine: Engine): Promise<Transport> {
  const { port1, port2 } = new MessageChannel();
  new PortHandler(engine.router).upgrade(port1);
  const client: Client = createORPCClient(new PortLink({ port: port2 }));
  port1.start();
  port2.start();
  return {
    client,
    async close() {
      port2.close();
    },
  };
}

async function overSocket(engine: Engine): Promise<Transport> {
  const server = await startServer(engine, { renderer: null });
  const socket = await openSocket(server.port, server.token);
  // Boundary: ws has the browser's interface in all that the link uses; only the types of its events differ.
  const websocket = socket as unknown as ConstructorParameters<typeof SocketLink>[0]['websocket'];
  const client: Client = createORPCClient(new SocketLink({ websocket }));
  return {
    client,
    async close() {
      socket.close();
      await server.close();
    },
  };
}

/** A socket that showed its token and was let in, as the page does it. */
export async function openSocket(port: number, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { origin: `http://127.0.0.1:${port}` });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send(JSON.stringify({ token }));
  const greeting = await new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
  if (greeting !== '{"ok":true}') throw new Error(`The server said ${greeting}.`);
  return socket;
}
