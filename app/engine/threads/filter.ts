// The thread that judges lines for `rollscope filter`. Patterns come from people and one may run for ever, so that the supervisor
// kills this thread at the deadline; it says in a shared cell what it is doing.

import { workerData } from 'node:worker_threads';
import type { RulePack } from '../../contract/rule-pack.ts';
import { compilePack } from '../../domain/detect/compile.ts';
import { Refusal } from '../../shared/errors.ts';
import { type Answer, FilterSession, type HeldRollout, type SessionOptions } from '../filter/session.ts';
import { SharedCell } from '../filter/shared-cell.ts';
import { serveThread } from './rpc.ts';

export interface FilterThreadData {
  readonly pack: RulePack;
  readonly options: SessionOptions;
  readonly cell: SharedArrayBuffer;
}

// Boundary: the supervisor starts this thread with exactly this data.
const data = workerData as FilterThreadData;
const cell = new SharedCell(data.cell);
let session: FilterSession | null = null;
/** Lines are judged in the order in which they came. */
let last: Promise<unknown> = Promise.resolve();

function open(): FilterSession {
  const compiled = compilePack(data.pack);
  if (!compiled.ok) throw new Refusal('pack-invalid', compiled.error[0]?.message ?? 'The rule pack does not compile.');
  const numbers = new Map(data.pack.rules.map(({ id }, index) => [id, index]));
  return new FilterSession(compiled.value, data.options, {
    begins: (characters) => cell.beginScan(characters),
    onRule: (rule) => cell.beginRule(numbers.get(rule) ?? 0),
  });
}

const api = {
  /** Compiles the pack and takes up the rollouts of a thread before this one. */
  async start(args: { readonly rollouts: readonly HeldRollout[] }): Promise<null> {
    session = open();
    await session.restore(args.rollouts);
    return null;
  },
  judge(args: { readonly text: string; readonly line: number }): Promise<Answer> {
    const judged = last.then(async () => {
      if (session === null) throw new Refusal('filter-not-started', 'The filter has not started.');
      cell.beginLine();
      try {
        return await session.judge(args.text, args.line);
      } finally {
        cell.endLine();
      }
    });
    last = judged.catch(() => undefined);
    return judged;
  },
};
export type FilterApi = typeof api;

serveThread(api);
