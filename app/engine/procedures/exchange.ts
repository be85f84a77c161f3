// Labels in and out of the workspace.

import { exportLabelFile } from '../export-stream.ts';
import { takeIn } from '../labels/take-in.ts';
import type { Procedures } from './base.ts';

/** The handlers of `exchange`. */
export function exchangeProcedures({ base, writable, services }: Procedures) {
  return {
    exportLabels: base.exchange.exportLabels.handler(({ input }) => exportLabelFile(services.threads, input.as)),
    takeIn: writable.exchange.takeIn.handler(({ input }) => takeIn(services, input.path)),
  };
}
