// Scanning rollouts with a rule pack: texts from a reader thread, patterns in the regex thread, markers to the writer.

import type { RolloutScan } from '../../db/queries/markers.ts';
import type { RulePack, ScanReport } from '../contract/index.ts';
import { scoreRollout } from '../domain/detect/score.ts';
import type { RuleHit, ScanRollout } from '../domain/detect/types.ts';
import { DeadlineScan } from './deadline-scan.ts';
import type { JobContext } from './jobs.ts';
import type { ReaderApi } from './threads/reader.ts';
import type { ThreadClient } from './threads/rpc.ts';
import type { WriterApi } from './threads/writer.ts';

/** Rollouts per batch. Small, so that a deadline says something and a cancel is quick. */
const batchSize = 16;
/** Markers listed in a job's result; all are stored. */
const listedMax = 20_000;

export interface ScanThreads {
  readonly work: ThreadClient<ReaderApi>;
  readonly writer: ThreadClient<WriterApi>;
}

export interface LoadedPack {
  readonly pack: RulePack;
  readonly yaml: string;
}

/** Scans rollouts (row ids) and replaces the pack's markers on them. */
export async function runScan(
  threads: ScanThreads,
  loaded: LoadedPack,
  rolloutIds: readonly number[],
  job: JobContext,
): Promise<ScanReport> {
  const started = performance.now();
  const { pack, yaml } = loaded;
  const { id, version, title, threshold } = pack;
  const packRowId = await threads.writer.call('upsertPack', { id, version, title, threshold, yaml });
  await using scan = new DeadlineScan(pack);
  const rules = new Map(pack.rules.map((rule) => [rule.id, rule]));
  const scores: ScanReport['rollouts'] = [];
  const scannedIds: number[] = [];
  job.progress({ phase: 'scanning', unit: 'rollouts', done: 0, total: rolloutIds.length });
  // The next texts are read and the last markers written while the patterns run: three threads at work, one batch each.
  const batchAt = (start: number): Promise<Batch> =>
    readBatch(threads, rolloutIds.slice(start, start + batchSize), job);
  let next = batchAt(0);
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for (let start = 0; start < rolloutIds.length; start += batchSize) {
      job.checkCancelled();
      const { ids, rollouts, uids } = await next;
      next = batchAt(start + batchSize);
      // Awaited in the next round; a failure meanwhile must not count as unhandled.
      next.catch(() => undefined);
      const hits = await scan.scan(rollouts);
      const scans = ids.map((rolloutId, i): RolloutScan => {
        const found = hits[i] ?? [];
        const { score, marked, kinds, topKind } = scoreRollout(found, threshold);
        const uid = uids[i];
        if (uid !== undefined) {
          scores.push({ id: uid, score, marked, kinds: [...kinds] });
          scannedIds.push(rolloutId);
        }
        const markers = found.flatMap((hit) => markerOf(hit, rules.get(hit.rule)));
        return { rolloutId, score, marked, topKind, markers };
      });
      await writing;
      writing = threads.writer.call('replaceMarkers', { packRowId, scans });
      writing.catch(() => undefined);
      job.progress({ done: start + ids.length });
    }
  } finally {
    await Promise.allSettled([next, writing]);
  }
  await writing;
  const markers: ScanReport['markers'] = [];
  for (let start = 0; start < scannedIds.length && markers.length < listedMax; start += 200) {
    markers.push(...(await threads.work.call('markersOfMany', { rolloutIds: scannedIds.slice(start, start + 200) })));
  }
  return {
    pack: { id, version },
    markers: markers.slice(0, listedMax),
    rollouts: scores,
    timedOut: scan.timedOut,
    elapsedMs: performance.now() - started,
  };
}

interface Batch {
  readonly ids: readonly number[];
  readonly rollouts: readonly ScanRollout[];
  /** Public ids, in the order of `ids`. */
  readonly uids: readonly (string | undefined)[];
}

async function readBatch(threads: ScanThreads, ids: readonly number[], job: JobContext): Promise<Batch> {
  if (ids.length === 0) return { ids, rollouts: [], uids: [] };
  const rollouts = await threads.work.call('scanInput', { rolloutIds: ids, cancel: job.cancelFlag });
  const rows = await threads.work.call('rows', { rolloutIds: ids });
  return { ids, rollouts, uids: ids.map((_, i) => rows[i]?.id) };
}

function markerOf(hit: RuleHit, rule: RulePack['rules'][number] | undefined): RolloutScan['markers'] {
  if (rule === undefined) return [];
  const { item, part, start, end, quote, score, weak, chain } = hit;
  return [
    {
      rule: rule.id,
      ruleTitle: rule.title,
      kind: rule.kind,
      family: rule.family,
      severity: rule.severity,
      why: rule.why,
      benign: rule.benign,
      item,
      part,
      start,
      end,
      quote,
      score,
      weak,
      chain,
    },
  ];
}
