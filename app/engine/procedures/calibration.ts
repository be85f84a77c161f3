// Scores as probabilities: the calibration on the labels there are, and the threshold stored with the pack.

import { calibrate } from '../../domain/tuning/calibrate.ts';
import { currentPack } from '../scan/pack-store.ts';
import { setThreshold, undoThreshold } from '../scan/pack-threshold.ts';
import type { Procedures } from './base.ts';

/** The handlers of `calibration`. */
export function calibrationProcedures({ base, writable, services }: Procedures) {
  const { work } = services.threads;
  return {
    report: base.calibration.report.handler(async () => {
      const { rowId } = await currentPack(work);
      const { rows } = await work.call('tuning', { packRowId: rowId ?? -1 });
      return calibrate(
        rows.flatMap(({ score, label }) =>
          score !== null && (label === 'hack' || label === 'clean') ? [{ score, hack: label === 'hack' }] : [],
        ),
      );
    }),
    setThreshold: writable.calibration.setThreshold.handler(({ input }) => setThreshold(services, input.threshold)),
    undoThreshold: writable.calibration.undoThreshold.handler(({ input }) => undoThreshold(services, input.pack)),
  };
}
