// MessageChannelMain over Node's MessageChannel: messages are cloned as structured data, and only ports can be transferred,
// as in Electron.

import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** A port of the main process or of a utility process. */
export class PortStandIn extends EventEmitter {
  readonly native: MessagePort;

  constructor(native: MessagePort) {
    super();
    this.native = native;
    native.on('close', () => this.emit('close'));
  }

  start(): void {
    this.native.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }

  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) throw new TypeError('Found invalid value in transferList: only ports can be transferred');
    this.native.postMessage(data);
  }

  close(): void {
    this.native.close();
  }
}

export class MessageChannelStandIn {
  readonly port1: PortStandIn;
  readonly port2: PortStandIn;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new PortStandIn(port1);
    this.port2 = new PortStandIn(port2);
  }
}
