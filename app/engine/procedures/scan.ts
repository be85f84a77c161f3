// The rule pack: reading, checking, saving and trying an edit of it, its figures against labels, and the reasons behind markers.

import { nearest } from '../../domain/detect/look-alike.ts';
import { evaluate } from '../../domain/tuning/evaluate.ts';
import { hackRates } from '../../domain/tuning/hack-rate.ts';
import { Refusal } from '../../shared/errors.ts';
import { blindMarkers } from '../blindfold.ts';
import { checkPack } from '../scan/check-pack.ts';
import { packEffect } from '../scan/pack-effect.ts';
import { restorePack, savePack } from '../scan/pack-save.ts';
import { currentPack } from '../scan/pack-store.ts';
import type { Services } from '../services.ts';
import type { Procedures } from './base.ts';

/** Look-alikes shown beside a marker. */
const lookAlikesShown = 3;

/** The handlers of `scan`. */
export function scanProcedures({ base, writable, services }: Procedures) {
  const { screen } = services.threads;
  return {
    pack: base.scan.pack.handler(async () => {
      const { pack, yaml, createdAt } = await currentPack(screen);
      const { id, version, title, threshold } = pack;
      return { id, version, title, threshold, yaml, current: true, createdAt };
    }),
    check: base.scan.check.handler(({ input }) => checkPack(input.yaml)),
    markers: base.scan.markers.handler(async ({ input, context }) =>
      blindMarkers(await screen.call('markers', input), await services.blind(context.me)),
    ),
    packs: base.scan.packs.handler(async () =>
      (await screen.call('storedPacks', undefined)).map(({ rowId, yaml: _, ...pack }) => ({ ...pack, pack: rowId })),
    ),
    packText: base.scan.packText.handler(async ({ input }) => {
      const found = (await screen.call('storedPacks', undefined)).find(({ rowId }) => rowId === input.pack);
      if (found === undefined)
        throw new Refusal('pack-unknown', 'That rule pack is no longer stored.', 'Choose another.');
      return { yaml: found.yaml };
    }),
    savePack: writable.scan.savePack.handler(({ input }) => savePack(services, input.yaml)),
    restorePack: writable.scan.restorePack.handler(({ input }) => restorePack(services, input.pack)),
  };
}

/** With which chance each rollout that was labelled in a queue had been drawn. */
async function chancesOf(work: Services['threads']['work']): Promise<Map<string, number>> {
  const chances = await work.call('inclusionChances', undefined);
  return new Map(chances.map(({ rollout, probability }) => [rollout, probability]));
}

/** The handlers of `tuning`. */
export function tuningProcedures({ base, services }: Procedures) {
  const { screen, work } = services.threads;
  return {
    evaluate: base.tuning.evaluate.handler(async ({ input }) => {
      const { pack, rowId } = await currentPack(work);
      const { rows, markers } = await work.call('tuning', { packRowId: rowId ?? -1 });
      return evaluate({
        pack: { id: pack.id, version: pack.version, threshold: input.threshold ?? pack.threshold },
        rules: pack.rules,
        rollouts: rows.map(({ rules, score, ...row }) => ({ ...row, score: score ?? 0, ruleHits: rules })),
        markerLabels: markers,
        ...(input.weighted === true ? { chances: await chancesOf(work) } : {}),
      });
    }),
    evidence: base.tuning.evidence.handler(async ({ input }) => {
      const found = await screen.call('legitimateHits', input);
      if (found === null)
        throw new Refusal('marker-unknown', 'That marker is gone: the rollout was scanned anew.', 'Choose another.');
      const { pack } = await currentPack(screen);
      const rule = pack.rules.find(({ id }) => id === found.rule);
      return {
        rule:
          rule === undefined
            ? null
            : { id: rule.id, version: rule.version, references: rule.references, clean: rule.examples.clean },
        lookAlikes: nearest(found.quote, found.hits, lookAlikesShown),
      };
    }),
    hackRate: base.tuning.hackRate.handler(async ({ input }) =>
      hackRates(input.over, input.by, await screen.call('hackCounts', input)),
    ),
    effect: base.tuning.effect.handler(({ input, signal }) => packEffect(services.threads, input.yaml, signal)),
  };
}
