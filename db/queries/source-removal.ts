// Taking rollouts out of the workspace: out of sight in one go, then deleted in chunks, with the bodies and groups that nothing
// uses any more.

import type { WriteDb } from '../connection.ts';
import { deleteReleasedBodies, noteBodies } from './bodies.ts';

/** Rollouts deleted per transaction. */
const deleteChunk = 64;

/** Takes a source and its parts out of force: their rollouts vanish from every list at once. */
export function hideSource(db: WriteDb, id: number): void {
  db.run("UPDATE sources SET status = 'removing' WHERE id = ? OR main_source_id = ?", id, id);
  db.run('UPDATE rollouts SET uid = NULL WHERE source_id = ? AND uid IS NOT NULL', id);
}

/** Deletes the rollouts of a source, chunk by chunk. */
export function removeRollouts(db: WriteDb, id: number): void {
  for (const _ of rolloutRemoval(db, id)) {
    // Each step is one transaction; nothing to do between them here.
  }
}

/** The same in steps: one transaction each, yielding the number deleted so far. `after`: only rollouts with larger ids. */
export function* rolloutRemoval(db: WriteDb, id: number, after = 0): Generator<number> {
  let deleted = 0;
  for (;;) {
    const n = db.transaction(() => {
      const rows = db.all<{ id: number; groupId: number | null }>(
        'SELECT id, group_id AS groupId FROM rollouts WHERE source_id = ? AND id > ? LIMIT ?',
        id,
        after,
        deleteChunk,
      );
      if (rows.length === 0) return 0;
      const ids = JSON.stringify(rows.map((row) => row.id));
      noteBodies(db, ids);
      db.run('DELETE FROM rollouts WHERE id IN (SELECT value FROM json_each(?))', ids);
      deleteReleasedBodies(db);
      db.run(
        `DELETE FROM groups WHERE id IN (SELECT value FROM json_each(?))
           AND NOT EXISTS (SELECT 1 FROM rollouts WHERE group_id = groups.id)`,
        JSON.stringify(rows.flatMap((row) => (row.groupId === null ? [] : [row.groupId]))),
      );
      return rows.length;
    });
    if (n === 0) return;
    deleted += n;
    yield deleted;
  }
}
