// What is read of labels and of the agreement between annotators, as methods of a reader thread.

import type { ReadDb } from '../../../db/open.ts';
import {
  adjudicatedTargets,
  labelledSpans,
  labelsOn,
  repeatedLabels,
  unitDetails,
} from '../../../db/queries/agreement.ts';
import { currentLabels, labelHistory, undoState } from '../../../db/queries/labels.ts';
import { exportActs } from '../../../db/queries/labels-merge.ts';
import type { AgreementReport, AgreementSelection, AgreementTarget, AgreementUnit } from '../../contract/agreement.ts';
import type { UndoState } from '../../contract/labels.ts';
import type { CurrentLabel, LabelAct } from '../../contract/records.ts';
import { agreementReport } from '../../domain/agreement/report.ts';
import { isDisputed, type References, selectUnits, targetId, unitsOf } from '../../domain/agreement/units.ts';
import { labelledLine } from './labelled-shape.ts';

/** The methods over one connection. */
export function labelReads(db: ReadDb) {
  return {
    agreement(args: { readonly target: AgreementTarget }): AgreementReport {
      const { target } = args;
      return db.snapshot(() =>
        agreementReport({
          target,
          labels: labelsOn(db, target),
          spans: labelledSpans(db),
          repeats: repeatedLabels(db, target),
          adjudicated: adjudicatedTargets(db, target),
        }),
      );
    },
    agreementUnits(args: {
      readonly target: AgreementTarget;
      readonly select: AgreementSelection;
      readonly start: number;
      readonly count: number;
    }): { total: number; start: number; units: AgreementUnit[] } {
      return db.snapshot(() => {
        const units = selectUnits(unitsOf(labelsOn(db, args.target)), args.select, referencesOf(db, args.target));
        const page = units.slice(args.start, args.start + args.count);
        const details = unitDetails(
          db,
          page.map(({ target }) => target),
        );
        const disputed = page.map(isDisputed);
        return {
          total: units.length,
          start: args.start,
          units: details.map((unit, at) => ({ ...unit, disputed: disputed[at] ?? false })),
        };
      });
    },
    labelsOf(args: { readonly rollout: string }): CurrentLabel[] {
      return currentLabels(db, args.rollout);
    },
    labelHistory(args: { readonly rollout?: string | undefined; readonly limit: number }): LabelAct[] {
      const { rollout, limit } = args;
      return labelHistory(db, rollout === undefined ? { limit } : { rollout, limit });
    },
    undoState(args: { readonly annotator: string }): UndoState {
      return undoState(db, args.annotator);
    },
    /** A labelled rollout as a line of a labelled set; null without a label. */
    labelledLine(args: { readonly rolloutId: number }): string | null {
      return labelledLine(db, args.rolloutId);
    },
    acts(): LabelAct[] {
      return [...exportActs(db)];
    },
  };
}

function referencesOf(db: ReadDb, target: AgreementTarget): References {
  const changed = new Map<string, Set<string>>();
  for (const { annotator, target: on, first, second } of repeatedLabels(db, target)) {
    if (first === second) continue;
    const own = changed.get(annotator) ?? new Set();
    changed.set(annotator, own.add(targetId(on)));
  }
  return {
    changed,
    final: new Map(adjudicatedTargets(db, target).map(({ target: on, verdict }) => [targetId(on), verdict])),
  };
}
