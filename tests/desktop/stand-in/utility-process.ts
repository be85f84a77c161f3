// utilityProcess over a worker thread: its own module graph and event loop, and ports move to it natively. What it cannot
// show is a crash of its own process; `crash()` ends it without warning instead.

import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PortStandIn } from './ports.ts';

export class UtilityProcessStandIn extends EventEmitter {
  readonly #worker: Worker;

  constructor(module: string) {
    super();
    this.#worker = new Worker(new URL('./utility-bootstrap.ts', import.meta.url), {
      workerData: { module },
      execArgv: ['--no-warnings'],
    });
    this.#worker.on('message', (data: unknown) => this.emit('message', data));
    this.#worker.on('error', (error: unknown) => this.emit('worker-error', error));
    this.#worker.on('exit', (code) => this.emit('exit', code));
  }

  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    const ports = transfer.map((each) => {
      if (!(each instanceof PortStandIn)) throw new TypeError('Found invalid value in transferList');
      return each.native;
    });
    this.#worker.postMessage({ data, ports }, ports);
  }

  kill(): boolean {
    void this.#worker.terminate();
    return true;
  }

  /** Ends it as a crash would: nothing is flushed, nobody was asked. */
  crash(): void {
    void this.#worker.terminate();
  }
}
