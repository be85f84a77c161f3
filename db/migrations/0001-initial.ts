// Migration 1: the whole first schema. One transaction; never edited after a release: a change is a new file.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 1,
  name: 'initial',
  sql: `
-- One file (or the main file of several that belong together) that was imported.
CREATE TABLE sources (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  format TEXT,
  format_title TEXT,
  format_version TEXT,
  confidence REAL,
  reason TEXT,
  -- 'importing' and 'removing' are on their way in and out: their rollouts have no uid and are in no list.
  status TEXT NOT NULL CHECK (status IN ('importing', 'imported', 'refused', 'failed', 'part', 'removing')),
  message TEXT,
  hint TEXT,
  -- For a part: the file whose rollouts it belongs to.
  main_source_id INTEGER REFERENCES sources (id) ON DELETE CASCADE,
  size INTEGER,
  mtime_ms REAL,
  -- SHA-256 of the bytes as stored on disk.
  content_hash BLOB,
  bytes_read INTEGER NOT NULL DEFAULT 0,
  imported_at TEXT,
  elapsed_ms REAL,
  -- Host and process that is importing, so that another process does not take it for an interrupted import.
  owner TEXT
) STRICT;
-- A newer version of a file is imported beside the older one, which stays in force until the newer one is complete.
CREATE UNIQUE INDEX sources_in_force ON sources (path) WHERE status IN ('imported', 'part');
CREATE INDEX sources_by_path ON sources (path);
CREATE INDEX sources_by_hash ON sources (content_hash);
CREATE INDEX sources_by_main ON sources (main_source_id);

-- Rollouts that share a baseline: same prompt, same policy, same training step of the same run. Without a run id the
-- file stands for the run, so that equal ids of unrelated dumps do not mix.
CREATE TABLE groups (
  id INTEGER PRIMARY KEY,
  run_id TEXT,
  training_step INTEGER,
  external_id TEXT NOT NULL,
  -- Canonical JSON of run (or file), step, split and id; nulls count as equal.
  key TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE rollouts (
  id INTEGER PRIMARY KEY,
  -- Stable public id: the same after a re-import of the same log. Null until the import is complete: not listed yet.
  uid TEXT UNIQUE,
  -- What the log itself says about who this is, hashed; equal for the same rollout in two versions of a file.
  identity TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  group_id INTEGER REFERENCES groups (id),
  external_id TEXT NOT NULL,
  run_id TEXT,
  task TEXT,
  training_step INTEGER,
  attempt INTEGER,
  split TEXT,
  model TEXT,
  agent TEXT,
  status TEXT NOT NULL CHECK (status IN ('completed', 'truncated', 'aborted', 'failed', 'pending', 'unknown')),
  status_detail TEXT,
  reward REAL,
  reward_detail TEXT,
  bootstrap_value REAL,
  excluded_from_loss INTEGER NOT NULL DEFAULT 0 CHECK (excluded_from_loss IN (0, 1)),
  started_at TEXT,
  ended_at TEXT,
  preview TEXT NOT NULL DEFAULT '',
  segments INTEGER NOT NULL DEFAULT 0,
  execution_segments INTEGER NOT NULL DEFAULT 0,
  summary_segments INTEGER NOT NULL DEFAULT 0,
  subagent_segments INTEGER NOT NULL DEFAULT 0,
  compactions INTEGER NOT NULL DEFAULT 0,
  steps INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  trainable_tokens INTEGER NOT NULL DEFAULT 0,
  -- JSON array of [kind, tokens] per segment, in order, for the small rail of the list.
  rail TEXT NOT NULL DEFAULT '[]',
  -- Warnings and errors of the importer about this rollout.
  alerts INTEGER NOT NULL DEFAULT 0,
  -- Results of the newest scan, kept here for sorting and filtering; the markers are the truth.
  markers INTEGER NOT NULL DEFAULT 0,
  top_kind TEXT,
  score REAL,
  marked INTEGER NOT NULL DEFAULT 0 CHECK (marked IN (0, 1)),
  max_abs_advantage REAL,
  -- The verdict of the labels in force on the rollout, or 'disputed'; the ledger is the truth.
  label TEXT CHECK (label IN ('hack', 'clean', 'unsure', 'disputed')),
  labels INTEGER NOT NULL DEFAULT 0,
  line INTEGER,
  byte_offset INTEGER,
  extra_body INTEGER REFERENCES bodies (id)
) STRICT;
CREATE INDEX rollouts_by_source ON rollouts (source_id, line);
CREATE INDEX rollouts_by_group ON rollouts (group_id);
CREATE INDEX rollouts_by_task ON rollouts (task);
CREATE INDEX rollouts_by_external_id ON rollouts (external_id);
CREATE INDEX rollouts_by_extra ON rollouts (extra_body) WHERE extra_body IS NOT NULL;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  rollout_id INTEGER NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  external_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('execution', 'summary', 'subagent', 'other')),
  kind_source TEXT NOT NULL CHECK (kind_source IN ('declared', 'inferred')),
  link TEXT CHECK (link IN ('compaction', 'summary_of', 'subagent', 'fork', 'continuation')),
  parent_idx INTEGER,
  steps INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  trainable_tokens INTEGER NOT NULL DEFAULT 0,
  tokens_estimated INTEGER NOT NULL DEFAULT 0 CHECK (tokens_estimated IN (0, 1)),
  prompt_length INTEGER,
  context_before INTEGER,
  context_after INTEGER,
  "trigger" TEXT,
  duration_ms REAL,
  tokenizer TEXT,
  agent TEXT,
  extra_body INTEGER REFERENCES bodies (id),
  UNIQUE (rollout_id, idx)
) STRICT;
CREATE INDEX segments_by_extra ON segments (extra_body) WHERE extra_body IS NOT NULL;

-- One row of a segment: a step (one model call with its observations), an input, a boundary or an unknown record.
CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  rollout_id INTEGER NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  -- Order within the segment.
  idx INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('step', 'input', 'boundary', 'unknown')),
  step_kind TEXT CHECK (step_kind IN ('execution', 'summary')),
  -- Number of the step in its segment, from 1; null for what is not a step and for copied context.
  step INTEGER,
  role TEXT NOT NULL CHECK (role IN ('assistant', 'system', 'user', 'tool', 'other')),
  copied INTEGER NOT NULL DEFAULT 0 CHECK (copied IN (0, 1)),
  compaction_summary INTEGER NOT NULL DEFAULT 0 CHECK (compaction_summary IN (0, 1)),
  title TEXT,
  token_start INTEGER,
  token_end INTEGER,
  reward REAL,
  advantage REAL,
  weight_version TEXT,
  finish_reason TEXT,
  model TEXT,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  time TEXT,
  duration_ms REAL,
  size INTEGER NOT NULL DEFAULT 0,
  line INTEGER,
  byte_offset INTEGER,
  extra_body INTEGER REFERENCES bodies (id),
  UNIQUE (segment_id, idx)
) STRICT;
CREATE INDEX items_by_rollout ON items (rollout_id);
CREATE INDEX items_by_extra ON items (extra_body) WHERE extra_body IS NOT NULL;

CREATE TABLE parts (
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  idx INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'reasoning', 'tool_call', 'observation', 'raw')),
  name TEXT,
  call_id TEXT,
  is_error INTEGER NOT NULL DEFAULT 0 CHECK (is_error IN (0, 1)),
  -- UTF-16 units of the text.
  size INTEGER NOT NULL,
  body_id INTEGER NOT NULL REFERENCES bodies (id),
  PRIMARY KEY (item_id, idx)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_by_body ON parts (body_id);

-- Texts, each stored once by content. Small ones as they are, larger ones zstd-compressed.
CREATE TABLE bodies (
  id INTEGER PRIMARY KEY,
  -- First 16 bytes of the SHA-256 of the UTF-8 text.
  hash BLOB NOT NULL UNIQUE,
  codec INTEGER NOT NULL CHECK (codec IN (0, 1)),
  -- UTF-8 bytes before compression.
  bytes INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;

-- Token columns as packed little-endian typed arrays; never a row per token. NaN in a float column means null.
CREATE TABLE token_columns (
  segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  dtype TEXT NOT NULL CHECK (dtype IN ('u8', 'i32', 'f32', 'f64')),
  -- First token of the segment that the column describes.
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  data BLOB NOT NULL,
  -- min, max, mean and count of trainable tokens per 64 tokens and coarser (db/pyramid.ts); null for ids and masks.
  pyramid BLOB,
  PRIMARY KEY (segment_id, name)
) STRICT;

CREATE TABLE alerts (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
  count INTEGER NOT NULL DEFAULT 1,
  first_line INTEGER,
  first_offset INTEGER,
  message TEXT NOT NULL,
  raw TEXT,
  -- The rollout it is about, where that is known.
  rollout_id INTEGER REFERENCES rollouts (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX alerts_by_source ON alerts (source_id);
CREATE INDEX alerts_by_rollout ON alerts (rollout_id) WHERE rollout_id IS NOT NULL;

-- One computation of one estimator on one rollout. inputs_hash tells whether the inputs are still the same.
CREATE TABLE estimator_runs (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  rollout_id INTEGER NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  estimator TEXT NOT NULL,
  estimator_version TEXT NOT NULL,
  preset TEXT,
  params TEXT NOT NULL,
  inputs_hash TEXT NOT NULL,
  -- JSON of the result without per-token arrays (contract rolloutAdvantages).
  result TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX estimator_runs_by_rollout ON estimator_runs (rollout_id);

CREATE TABLE estimator_columns (
  run_id INTEGER NOT NULL REFERENCES estimator_runs (id) ON DELETE CASCADE,
  segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name IN ('advantages', 'returns', 'weights')),
  length INTEGER NOT NULL,
  data BLOB NOT NULL,
  pyramid BLOB,
  PRIMARY KEY (run_id, segment_id, name)
) STRICT;
CREATE INDEX estimator_columns_by_segment ON estimator_columns (segment_id);

CREATE TABLE rule_packs (
  id INTEGER PRIMARY KEY,
  pack TEXT NOT NULL,
  version TEXT NOT NULL,
  title TEXT NOT NULL,
  threshold REAL NOT NULL,
  yaml TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  current INTEGER NOT NULL DEFAULT 0 CHECK (current IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE markers (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  pack_id INTEGER NOT NULL REFERENCES rule_packs (id),
  rollout_id INTEGER NOT NULL REFERENCES rollouts (id) ON DELETE CASCADE,
  segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
  item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  part_idx INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  quote TEXT NOT NULL,
  kind TEXT NOT NULL,
  family TEXT NOT NULL,
  rule TEXT NOT NULL,
  rule_title TEXT NOT NULL,
  severity TEXT NOT NULL,
  why TEXT NOT NULL,
  benign TEXT NOT NULL DEFAULT '[]',
  score REAL NOT NULL,
  weak INTEGER NOT NULL CHECK (weak IN (0, 1)),
  -- JSON array of chain hops: source, carriers, sink.
  chain TEXT NOT NULL DEFAULT '[]',
  UNIQUE (pack_id, uid)
) STRICT;
CREATE INDEX markers_by_rollout ON markers (rollout_id);
CREATE INDEX markers_by_segment ON markers (segment_id);
CREATE INDEX markers_by_item ON markers (item_id);

-- The ledger: acts are appended, never changed. Rollouts and markers are named by public id, so that labels outlive a re-import.
CREATE TABLE labels (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  act TEXT NOT NULL CHECK (act IN ('label', 'undo', 'redo')),
  of_id TEXT REFERENCES labels (id),
  target_type TEXT NOT NULL CHECK (target_type IN ('rollout', 'segment', 'item', 'span', 'marker')),
  rollout_uid TEXT NOT NULL,
  -- Canonical JSON of the target; equal targets have equal keys.
  target TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('hack', 'clean', 'unsure')),
  kinds TEXT NOT NULL DEFAULT '[]',
  note TEXT NOT NULL DEFAULT '',
  confidence REAL,
  annotator TEXT NOT NULL,
  at TEXT NOT NULL,
  pack TEXT,
  pack_version TEXT,
  origin TEXT NOT NULL,
  CHECK ((act = 'label') = (verdict IS NOT NULL)),
  CHECK ((act = 'label') = (of_id IS NULL))
) STRICT;
CREATE INDEX labels_by_rollout ON labels (rollout_uid);
CREATE INDEX labels_by_of ON labels (of_id);
CREATE INDEX labels_by_annotator ON labels (annotator);
-- INSERT OR REPLACE deletes without firing the triggers below, so it is caught here.
CREATE TRIGGER labels_never_replaced BEFORE INSERT ON labels
WHEN EXISTS (SELECT 1 FROM labels WHERE id = NEW.id OR seq = NEW.seq) BEGIN
  SELECT RAISE(ABORT, 'the label ledger is append-only');
END;
CREATE TRIGGER labels_never_change BEFORE UPDATE ON labels BEGIN
  SELECT RAISE(ABORT, 'the label ledger is append-only');
END;
CREATE TRIGGER labels_never_vanish BEFORE DELETE ON labels BEGIN
  SELECT RAISE(ABORT, 'the label ledger is append-only');
END;

-- Acts that are in force: labels whose newest undo or redo is not an undo. Newest is by time, then by order of arrival, so
-- that ledgers of two machines merge.
CREATE VIEW labels_in_force AS
SELECT l.* FROM labels l
WHERE l.act = 'label'
  AND COALESCE((SELECT r.act FROM labels r WHERE r.of_id = l.id ORDER BY r.at DESC, r.seq DESC LIMIT 1), 'redo') = 'redo';

-- What each annotator says now of each target: the newest act in force.
CREATE VIEW current_labels AS
SELECT f.* FROM labels_in_force f
WHERE f.seq = (
  SELECT g.seq FROM labels_in_force g
  WHERE g.rollout_uid = f.rollout_uid AND g.target = f.target AND g.annotator = f.annotator
  ORDER BY g.at DESC, g.seq DESC LIMIT 1
);

CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
  request TEXT NOT NULL,
  error TEXT,
  started_at TEXT,
  ended_at TEXT
) STRICT;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`,
};
