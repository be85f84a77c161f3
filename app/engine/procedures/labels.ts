// Labels: given, undone, redone, and what is in force.

import type { Identity } from '../../contract/annotators.ts';
import { Refusal } from '../../shared/errors.ts';
import { blindActs } from '../blindfold.ts';
import { currentSchema } from '../labels/schema-store.ts';
import { currentPack } from '../scan/pack-store.ts';
import type { Services } from '../services.ts';
import type { Procedures } from './base.ts';

/** Who labels, and the rule pack and label schema in force while they do. */
export async function labeller(services: Services, me: Identity) {
  const { screen } = services.threads;
  // The stored pack is not parsed here: only its name and version are wanted, and a label must be quick.
  const [stored, schema] = await Promise.all([screen.call('pack', undefined), currentSchema(screen)]);
  const pack = stored ?? (await currentPack(screen)).pack;
  return {
    annotator: me.annotator,
    packId: pack.id,
    packVersion: pack.version,
    schemaId: schema.id,
    schemaVersion: schema.version,
  };
}

/** Tells open screens of an act. */
export function labelled<T extends { act: { target: { rollout: string } } | null }>(services: Services, done: T): T {
  if (done.act !== null) {
    services.labelChanges.publish('change', { rollout: done.act.target.rollout, at: new Date().toISOString() });
  }
  return done;
}

/** The public id of a rollout. @throws Refusal `rollout-unknown`. */
export async function rolloutId(services: Services, name: string): Promise<string> {
  const id = await services.threads.screen.call('uidOf', { name });
  if (id !== null) return id;
  throw new Refusal(
    'rollout-unknown',
    `There is no rollout ${name}.`,
    'It may have been removed; look in the library.',
  );
}

/** The handlers of `labels`. */
export function labelsProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  return {
    label: writable.labels.label.handler(async ({ input, context }) => {
      const target = { ...input.target, rollout: await rolloutId(services, input.target.rollout) };
      const by = await labeller(services, context.me);
      return labelled(services, await writer.call('label', { input: { ...input, target }, by }));
    }),
    undo: writable.labels.undo.handler(async ({ input, context }) => {
      const by = await labeller(services, context.me);
      return labelled(services, await writer.call('undo', { by, key: input?.key }));
    }),
    redo: writable.labels.redo.handler(async ({ input, context }) => {
      const by = await labeller(services, context.me);
      return labelled(services, await writer.call('redo', { by, key: input?.key }));
    }),
    state: base.labels.state.handler(({ context }) => screen.call('undoState', { annotator: context.me.annotator })),
    of: base.labels.of.handler(async ({ input, context }) =>
      blindActs(await screen.call('labelsOf', input), await services.blind(context.me), context.me.annotator),
    ),
    history: base.labels.history.handler(async ({ input, context }) =>
      blindActs(await screen.call('labelHistory', input), await services.blind(context.me), context.me.annotator),
    ),
    changes: base.labels.changes.handler(async function* ({ signal }) {
      yield* services.labelChanges.subscribe('change', signal === undefined ? {} : { signal });
    }),
  };
}
