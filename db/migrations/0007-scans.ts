// Migration 7: which pack scanned a rollout, so that an edit of one rule runs that rule only.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 7,
  name: 'scans',
  sql: `
-- The newest scan of a rollout. Without a row the rollout is scanned with all rules.
CREATE TABLE rollout_scans (
  rollout_id INTEGER PRIMARY KEY REFERENCES rollouts (id) ON DELETE CASCADE,
  pack_id INTEGER NOT NULL REFERENCES rule_packs (id),
  -- What was read, hashed: another value means other texts or another task contract.
  input TEXT NOT NULL,
  -- Version of the program that ran the rules.
  app_version TEXT NOT NULL,
  -- JSON array of the rules that were stopped at their deadline and have no markers here.
  left_out TEXT NOT NULL
) STRICT;
CREATE INDEX rollout_scans_by_pack ON rollout_scans (pack_id);
`,
};
