// Queues, the review of their items, adjudication; label schemas and annotators, which a review rests on.

import type { AnnotatorLinks } from '../../contract/annotators.ts';
import type { DecisionInput } from '../../contract/review.ts';
import { reservedKeys } from '../../domain/review/keys.ts';
import { labelFaults } from '../../domain/review/schema.ts';
import { Refusal } from '../../shared/errors.ts';
import { draftQueue, drawQueue } from '../labels/review-queue.ts';
import { parseSchema } from '../labels/schema-parse.ts';
import { allSchemas, currentSchema, loadSchema, schemaOf } from '../labels/schema-store.ts';
import { keeperOf } from '../links.ts';
import type { Procedures } from './base.ts';
import { labelled, labeller, rolloutId } from './labels.ts';

/** The handlers of `review`. */
export function reviewProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  const asker = (annotator: string) => ({ annotator, now: Date.now() });
  const isoOf = (until: number | null): string | null => (until === null ? null : new Date(until).toISOString());

  /** @throws Refusal `label-incomplete` when the queue's schema wants more. */
  async function checkDecision(annotator: string, input: DecisionInput): Promise<void> {
    const { queue } = await screen.call('reviewItem', { ...asker(annotator), item: input.item });
    const { schemaId, schemaVersion } = await screen.call('queue', { ...asker(annotator), queue });
    const { schema } = await schemaOf(screen, schemaId, schemaVersion);
    const faults = labelFaults(schema, input);
    if (faults.length === 0) return;
    throw new Refusal(
      'label-incomplete',
      `The label was not taken: ${faults.join('; ')}.`,
      `See the label schema ${schema.title}, version ${schema.version}.`,
    );
  }

  return {
    queues: base.review.queues.handler(async ({ input, context }) =>
      (await screen.call('queues', asker(context.me.annotator))).filter(
        ({ closedAt }) => input.closed || closedAt === null,
      ),
    ),
    queue: base.review.queue.handler(({ input, context }) =>
      screen.call('queue', { ...asker(context.me.annotator), queue: input.queue }),
    ),
    create: writable.review.create.handler(async ({ input, context }) => {
      const draft = await draftQueue(services, input, context.me.annotator);
      const queue = await writer.call('createQueue', { draft });
      return screen.call('queue', { ...asker(context.me.annotator), queue });
    }),
    preview: base.review.preview.handler(async ({ input }) => {
      const { units, sample } = await drawQueue(services, input);
      return { population: units.length, drawn: sample.drawn.length, strata: [...sample.strata] };
    }),
    close: writable.review.close.handler(async ({ input, context }) => {
      await writer.call('closeQueue', input);
      return screen.call('queue', { ...asker(context.me.annotator), queue: input.queue });
    }),
    delete: writable.review.delete.handler(async ({ input }) => ({ deleted: await writer.call('deleteQueue', input) })),
    entries: base.review.entries.handler(({ input }) => screen.call('queueEntries', input)),

    next: writable.review.next.handler(async ({ input, context }) => {
      const by = asker(context.me.annotator);
      const { state, item } = await writer.call('claimNext', { ...by, ...input });
      return {
        state,
        item: item === null ? null : await screen.call('reviewItem', { ...by, item }),
        progress: await screen.call('queueProgress', { ...by, queue: input.queue }),
      };
    }),
    item: base.review.item.handler(({ input, context }) =>
      screen.call('reviewItem', { ...asker(context.me.annotator), item: input.item }),
    ),
    renew: writable.review.renew.handler(async ({ input, context }) => ({
      reservedUntil: isoOf(await writer.call('claimEntry', { ...asker(context.me.annotator), item: input.item })),
    })),
    release: writable.review.release.handler(async ({ input, context }) => {
      const by = asker(context.me.annotator);
      const queue = await writer.call('releaseEntry', { ...by, ...input });
      return { progress: await screen.call('queueProgress', { ...by, queue }) };
    }),
    decide: writable.review.decide.handler(async ({ input, context }) => {
      const { annotator } = context.me;
      await checkDecision(annotator, input);
      const by = await labeller(services, context.me);
      const { queue, ...done } = labelled(services, await writer.call('decide', { input, by }));
      return {
        ...done,
        item: await screen.call('reviewItem', { ...asker(annotator), item: input.item }),
        progress: await screen.call('queueProgress', { ...asker(annotator), queue }),
      };
    }),
    progress: base.review.progress.handler(({ input, context }) =>
      screen.call('queueProgress', { ...asker(context.me.annotator), queue: input.queue }),
    ),
    recent: base.review.recent.handler(({ input, context }) =>
      screen.call('recentDecisions', {
        annotator: context.me.annotator,
        queue: input.queue ?? null,
        limit: input.limit,
      }),
    ),

    disputes: base.review.disputes.handler(({ input }) => screen.call('disputes', input)),
    dispute: base.review.dispute.handler(async ({ input }) => {
      const target = { ...input.target, rollout: await rolloutId(services, input.target.rollout) };
      return screen.call('dispute', { target });
    }),
    adjudicate: writable.review.adjudicate.handler(async ({ input, context }) => {
      const target = { ...input.target, rollout: await rolloutId(services, input.target.rollout) };
      const by = await labeller(services, context.me);
      return labelled(services, await writer.call('adjudicate', { draft: { ...input, target }, by }));
    }),
  };
}

/** The handlers of `schemas`. */
export function schemasProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  return {
    current: base.schemas.current.handler(() => currentSchema(screen)),
    list: base.schemas.list.handler(async () =>
      (await allSchemas(screen)).map(({ yaml: _yaml, schema: _schema, ...rest }) => rest),
    ),
    get: base.schemas.get.handler(({ input }) => schemaOf(screen, input.id, input.version)),
    check: base.schemas.check.handler(({ input }) => parseSchema(input.yaml)),
    save: writable.schemas.save.handler(async ({ input, context }) => {
      const { yaml } = input;
      const { id, version, title } = loadSchema(yaml);
      const known = (await allSchemas(screen)).find((each) => each.id === id && each.version === version);
      if (known !== undefined && known.yaml !== yaml) {
        throw new Refusal(
          'schema-version-taken',
          `Version ${version} of the label schema ${id} is there already with another text; labels refer to it.`,
          'Give the changed schema a new version.',
        );
      }
      const createdAt = new Date().toISOString();
      await writer.call('saveSchema', { id, version, title, yaml, createdAt, createdBy: context.me.annotator });
      return currentSchema(screen);
    }),
    use: writable.schemas.use.handler(async ({ input }) => {
      await schemaOf(screen, input.id, input.version);
      await writer.call('useSchema', input);
      return currentSchema(screen);
    }),
    reservedKeys: base.schemas.reservedKeys.handler(() => reservedKeys.map((each) => ({ ...each }))),
  };
}

/** The handlers of `annotators`. */
export function annotatorsProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  const links = (): AnnotatorLinks => {
    const keeper = services.options.links;
    return { available: keeper !== undefined, links: [...(keeper?.list() ?? [])] };
  };
  return {
    me: base.annotators.me.handler(({ context }) => context.me),
    list: base.annotators.list.handler(() => screen.call('annotatorProfiles', undefined)),
    add: writable.annotators.add.handler(async ({ input }) => {
      await writer.call('addAnnotator', { ...input, keep: false });
      const keeper = services.options.links;
      // A role counts from now on: a link of another role is replaced.
      if (keeper?.list().some(({ annotator, role }) => annotator === input.name && role !== input.role) === true) {
        keeper.give(input.name, input.role);
      }
      return screen.call('annotatorProfiles', undefined);
    }),
    remove: writable.annotators.remove.handler(async ({ input }) => {
      await writer.call('removeAnnotator', input);
      services.options.links?.revoke(input.name);
      return screen.call('annotatorProfiles', undefined);
    }),
    links: base.annotators.links.handler(() => links()),
    link: writable.annotators.link.handler(async ({ input }) => {
      const keeper = keeperOf(services.options.links);
      await writer.call('addAnnotator', { ...input, keep: false });
      keeper.give(input.name, input.role);
      return links();
    }),
    // Also while the workspace is open read-only: closing a way in writes nothing.
    revoke: base.annotators.revoke.handler(({ input }) => {
      keeperOf(services.options.links).revoke(input.name);
      return links();
    }),
  };
}
