// Puts rows that belong to one rollout together while a file streams by. Rows of a rollout usually stand close to each
// other; a bounded number of rollouts is held open, and the one that was added to longest ago leaves first.

import type { AlertDraft } from '../../contract/ingest.ts';
import { alertOf } from '../emit.ts';

/** Most rollouts held open, and the most their rows may weigh together (about bytes). */
const openRollouts = 4096;
const openWeight = 64 * 1024 * 1024;

export interface Gathered<Row> {
  /** Unique in the file: the id, numbered from the second on when a rollout comes back after it had left. */
  readonly key: string;
  readonly id: string;
  readonly rows: readonly Row[];
  /** Says that the rollout had to be split. */
  readonly alert: AlertDraft | null;
}

export interface RolloutWindow<Row> {
  /** Adds a row; gives the rollouts that leave because of it. */
  add(id: string, row: Row, weight: number): Gathered<Row>[];
  /** Whether anything is held. */
  isEmpty(): boolean;
  /** Everything that is still held, in the order in which it began. */
  rest(): Gathered<Row>[];
}

export function rolloutWindow<Row>(limits: { rollouts?: number; weight?: number } = {}): RolloutWindow<Row> {
  const most = limits.rollouts ?? openRollouts;
  const heaviest = limits.weight ?? openWeight;
  const open = new Map<string, { rows: Row[]; weight: number; order: number }>();
  const times = new Map<string, number>();
  let total = 0;
  let begun = 0;
  const leave = (id: string): Gathered<Row> => {
    const held = open.get(id) ?? { rows: [], weight: 0, order: 0 };
    open.delete(id);
    total -= held.weight;
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    const message = `The rows of rollout ${id} stand too far apart in the file to be held together; from here on they are shown as a rollout of their own.`;
    const alert = time === 1 ? null : alertOf('rollout-scattered', 'warning', message);
    return { key: time === 1 ? id : `${id}#${time}`, id, rows: held.rows, alert };
  };
  return {
    add: (id, row, weight) => {
      const held = open.get(id) ?? { rows: [], weight: 0, order: begun++ };
      held.rows.push(row);
      held.weight += weight;
      total += weight;
      // Set again, so that the order of the map is that of the last addition.
      open.delete(id);
      open.set(id, held);
      const gone: Gathered<Row>[] = [];
      while (open.size > most || (total > heaviest && open.size > 1)) {
        const [oldest] = open.keys();
        if (oldest === undefined || oldest === id) break;
        gone.push(leave(oldest));
      }
      return gone;
    },
    isEmpty: () => open.size === 0,
    rest: () => [...open].toSorted(([, a], [, b]) => a.order - b.order).map(([id]) => leave(id)),
  };
}
