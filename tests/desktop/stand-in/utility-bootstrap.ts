// Runs inside the worker: gives it `process.parentPort` as Electron does, then loads the real module.

import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PortStandIn } from './ports.ts';

const native = parentPort;
if (!native) throw new Error('This is the entry of a worker.');

class ParentPortStandIn extends EventEmitter {
  readonly #queue: { data: unknown; ports: PortStandIn[] }[] = [];

  receive(message: { data: unknown; ports: PortStandIn[] }): void {
    // Electron keeps messages until somebody listens.
    if (this.listenerCount('message') === 0) this.#queue.push(message);
    else this.emit('message', message);
  }

  override on(name: string, listener: (...args: unknown[]) => void): this {
    super.on(name, listener);
    if (name === 'message') for (const each of this.#queue.splice(0)) this.emit('message', each);
    return this;
  }

  postMessage(data: unknown): void {
    native?.postMessage(data);
  }
}

const standIn = new ParentPortStandIn();
native.on('message', (message: { data: unknown; ports: MessagePort[] }) => {
  standIn.receive({ data: message.data, ports: message.ports.map((port) => new PortStandIn(port)) });
});
Object.defineProperty(process, 'parentPort', { value: standIn });
const { module }: { module: string } = workerData;
await import(pathToFileURL(module).href);
