// Settings that belong to the workspace: plain texts by key.

import type { ReadDb, WriteDb } from '../connection.ts';

/** The value of a setting, or null. */
export function getSetting(db: ReadDb, key: string): string | null {
  return db.value<string>('SELECT value FROM settings WHERE key = ?', key) ?? null;
}

/** Sets a setting; null takes it away. */
export function setSetting(db: WriteDb, key: string, value: string | null): void {
  if (value === null) {
    db.run('DELETE FROM settings WHERE key = ?', key);
    return;
  }
  db.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
