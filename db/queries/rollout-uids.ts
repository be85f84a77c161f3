// Public ids of rollouts, given when their source comes into force.

import type { WriteDb } from '../connection.ts';
import { shortHash } from '../ids.ts';
import { recomputeLabels } from './labels.ts';

/** Public ids for the rollouts of a source that have none yet: the one of the replaced version, else from the identity, else (taken by another source) with the content. */
export function giveUids(
  db: WriteDb,
  id: number,
  path: string,
  contentHash: Uint8Array | null,
  earlier: Map<string, string>,
): void {
  const taken = (uid: string): boolean => db.value<number>('SELECT 1 FROM rollouts WHERE uid = ?', uid) !== undefined;
  const given: string[] = [];
  const content = contentHash === null ? '' : Buffer.from(contentHash).toString('hex');
  for (const row of db.all<{ id: number; identity: string }>(
    'SELECT id, identity FROM rollouts WHERE source_id = ? AND uid IS NULL ORDER BY id',
    id,
  )) {
    let uid = earlier.get(row.identity) ?? `r-${row.identity}`;
    for (let n = 0; taken(uid); n++) {
      uid = `r-${shortHash(JSON.stringify(n === 0 ? [row.identity, content] : [row.identity, content, path, n]))}`;
    }
    db.run('UPDATE rollouts SET uid = ? WHERE id = ?', uid, row.id);
    given.push(uid);
  }
  const labelled = db.column<string>(
    'SELECT DISTINCT rollout_uid FROM labels WHERE rollout_uid IN (SELECT value FROM json_each(?))',
    JSON.stringify(given),
  );
  recomputeLabels(db, labelled);
}
