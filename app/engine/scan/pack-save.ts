// Storing an edited pack as a new version, and putting a stored one in force again. Nothing is ever overwritten.

import type { PackChange } from '../../contract/scan.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Services } from '../services.ts';
import { currentPack, loadPack } from './pack-store.ts';
import { withHead } from './pack-threshold.ts';
import type { LoadedPack } from './scan-job.ts';

function draftOf({ pack, yaml }: LoadedPack) {
  const { id, version, title, threshold } = pack;
  return { id, version, title, threshold, yaml };
}

/** The version itself where it is free, else with the first free number: `1.4+edit.1`. */
export function freeVersion(version: string, taken: ReadonlySet<string>): string {
  if (!taken.has(version)) return version;
  const base = version.replace(/\+edit\.\d+$/u, '');
  for (let number = 1; ; number++) {
    const next = `${base}+edit.${number}`;
    if (!taken.has(next)) return next;
  }
}

/** Stores a text as the pack in force and starts to mark all rollouts anew. */
export async function savePack(services: Services, yaml: string): Promise<PackChange> {
  const { writer, work } = services.threads;
  const before = await currentPack(work);
  if (yaml === before.yaml) throw new Refusal('pack-unchanged', 'This is the pack in force.', 'Change it first.');
  const edited = loadPack(yaml);
  const taken = new Set(await work.call('packVersions', { pack: edited.pack.id }));
  if (edited.pack.id === before.pack.id) taken.add(before.pack.version);
  const version = freeVersion(edited.pack.version, taken);
  const after =
    version === edited.pack.version
      ? edited
      : loadPack(withHead(yaml, { version: JSON.stringify(version), threshold: String(edited.pack.threshold) }));
  const undo = before.rowId ?? (await writer.call('upsertPack', draftOf(before)));
  await writer.call('upsertPack', draftOf(after));
  return { id: after.pack.id, version, undo, job: services.jobs.start({ kind: 'scan' }) };
}

/** Puts a stored pack in force again and starts to mark all rollouts anew. @throws Refusal `pack-unknown`. */
export async function restorePack(services: Services, rowId: number): Promise<PackChange> {
  const { writer, work } = services.threads;
  const before = await currentPack(work);
  const { id, version } = await writer.call('packInForce', { rowId });
  return { id, version, undo: before.rowId ?? rowId, job: services.jobs.start({ kind: 'scan' }) };
}
