// The training step of rollouts whose log does not name one: the nearest folder or the file says it (`step_40`,
// `global_step_120`, `iter_3`), whatever harness wrote the log.

import type { IngestEvent } from '../../contract/ingest.ts';
import type { Format } from '../source.ts';
import { stepOfPath } from './trainer-names.ts';

/** The format with the step of the path where nothing else says. */
export function withPathStep(format: Format): Format {
  return {
    ...format,
    read: (group, context) => {
      const step = stepOfPath(group.main.path);
      const events = format.read(group, context);
      return step === null ? events : stepped(events, step);
    },
  };
}

async function* stepped(events: AsyncIterable<IngestEvent>, step: number): AsyncGenerator<IngestEvent> {
  for await (const event of events) {
    const unknown = event.type === 'rollout' && (event.rollout.trainingStep ?? null) === null;
    yield unknown ? { ...event, rollout: { ...event.rollout, trainingStep: step } } : event;
  }
}
