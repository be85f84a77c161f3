// Migration 4: critic values joined to rollouts from a file of their own, and which critic a run was made with.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 4,
  name: 'advantages',
  sql: `
-- A file of critic values that was joined. Its values are copied here: the file may go away.
CREATE TABLE value_sets (
  id INTEGER PRIMARY KEY,
  -- 'v-' and 12 hex digits of the file's hash: the same file joined again is the same set.
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  format TEXT NOT NULL,
  -- JSON of what was joined and what was not (contract valuesReport).
  report TEXT NOT NULL,
  joined_at TEXT NOT NULL
) STRICT;

-- One value per token of a segment, NaN where the file says nothing.
CREATE TABLE value_columns (
  set_id INTEGER NOT NULL REFERENCES value_sets (id) ON DELETE CASCADE,
  segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  dtype TEXT NOT NULL CHECK (dtype IN ('f32', 'f64')),
  start INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (set_id, segment_id)
) STRICT;
CREATE INDEX value_columns_by_segment ON value_columns (segment_id);

-- JSON of the critic (contract criticStandIn) and its name in words; older runs used what was logged.
ALTER TABLE estimator_runs ADD COLUMN critic TEXT NOT NULL DEFAULT '{"kind":"logged"}';
ALTER TABLE estimator_runs ADD COLUMN critic_label TEXT NOT NULL DEFAULT 'logged values';
`,
};
