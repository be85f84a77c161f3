// What is counted while a Claude Code session is read and told once at its end: records that are not shown, a history
// that was written again, results without a call.

import type { AlertDraft, Place } from '../../contract/ingest.ts';
import { alertOf, counted } from '../emit.ts';

export interface SessionNotes {
  /** An administrative record that is not shown, under the name of its type. */
  notShown(name: string, place: Place): void;
  /** A line whose uuid was there before. */
  repeated(place: Place): void;
  /** A tool result whose call is not in the file. */
  unpaired(): void;
  /** A session id that a line carries. */
  session(id: string): void;
  /** The alerts of all that was noted. */
  alerts(): AlertDraft[];
}

/** Empty notes. */
export function sessionNotes(): SessionNotes {
  const records = new Map<string, { count: number; place: Place }>();
  const sessions = new Set<string>();
  let repeats = 0;
  let firstRepeat: Place | undefined;
  let unpaired = 0;
  return {
    notShown: (name, place) => {
      const seen = records.get(name);
      if (seen === undefined) records.set(name, { count: 1, place });
      else seen.count++;
    },
    repeated: (place) => {
      repeats++;
      firstRepeat ??= place;
    },
    unpaired: () => {
      unpaired++;
    },
    session: (id) => {
      sessions.add(id);
    },
    alerts: () => {
      const alerts: AlertDraft[] = [];
      for (const [name, { count, place }] of records) {
        const message = `${counted(count, 'record')} of type ${name} ${count === 1 ? 'is' : 'are'} of no concern to the rollout and not shown.`;
        alerts.push(alertOf('records-not-shown', 'info', message, { place, count }));
      }
      if (repeats > 0) {
        const message = `${counted(repeats, 'line')} of the history ${repeats === 1 ? 'was' : 'were'} written again under the same uuid; the first of each was kept.`;
        alerts.push(alertOf('history-replayed', 'info', message, { place: firstRepeat, count: repeats }));
      }
      if (unpaired > 0) {
        const message = `${counted(unpaired, 'tool result')} without the call in the file; shown where ${unpaired === 1 ? 'it stands' : 'they stand'}.`;
        alerts.push(alertOf('observation-unpaired', 'info', message, { count: unpaired }));
      }
      if (sessions.size > 1) {
        const message = `The file holds lines of ${sessions.size} sessions; they were read as one rollout.`;
        alerts.push(alertOf('several-sessions', 'info', message));
      }
      return alerts;
    },
  };
}
