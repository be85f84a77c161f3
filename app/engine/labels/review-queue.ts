// Draws a queue: what the filter gives, by the plan, with its repeats.

import type { QueueDraft } from '../../../db/queries/queues.ts';
import type { QueueInput } from '../../contract/queues.ts';
import { drawSample, type Sample, withRepeats } from '../../domain/review/sampling.ts';
import { Refusal } from '../../shared/errors.ts';
import { currentPack } from '../scan/pack-store.ts';
import type { Services } from '../services.ts';
import type { QueueUnit } from './review-reads.ts';
import { currentSchema } from './schema-store.ts';

/** What a plan draws from what there is now. */
export async function drawQueue(
  services: Services,
  input: QueueInput,
): Promise<{ units: readonly QueueUnit[]; sample: Sample }> {
  const { work } = services.threads;
  const units = await work.call('queueUnits', { where: input.where, target: input.target });
  const { pack } = await currentPack(work);
  return { units, sample: drawSample(units, input.plan, { seed: input.seed, threshold: pack.threshold }) };
}

/**
 * The queue as it is to be kept.
 * @throws Refusal `queue-empty` when nothing was drawn.
 */
export async function draftQueue(services: Services, input: QueueInput, createdBy: string): Promise<QueueDraft> {
  const { units, sample } = await drawQueue(services, input);
  if (sample.drawn.length === 0) {
    throw new Refusal(
      'queue-empty',
      `The queue "${input.name}" would be empty: the filter and the plan give no ${input.target}.`,
      input.plan.by === 'disagreement'
        ? 'No two annotators differ on anything here. Choose another plan.'
        : 'Choose another filter; for a queue of markers, run the rule pack first.',
    );
  }
  const schema = await currentSchema(services.threads.work);
  const order = withRepeats(sample.drawn.length, input.repeats, input.seed);
  const placeOf = new Map(order.flatMap((each, place) => ('first' in each ? [[each.first, place] as const] : [])));
  const entries = order.flatMap((each): QueueDraft['entries'][number][] => {
    const at = 'first' in each ? each.first : each.repeats;
    const drawn = sample.drawn[at];
    const unit = drawn === undefined ? undefined : units[drawn.unit];
    if (drawn === undefined || unit === undefined) return [];
    const { probability, stratum } = drawn;
    return [{ target: unit.target, probability, stratum, repeats: 'first' in each ? null : (placeOf.get(at) ?? null) }];
  });
  return {
    ...input,
    population: units.length,
    schemaId: schema.id,
    schemaVersion: schema.version,
    createdBy,
    entries,
  };
}
