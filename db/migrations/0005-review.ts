// Migration 5: the ledger learns adjudications, token ranges, the five questions, what had been seen and for which queue; label
// schemas, queues with their chances, reservations and profiles of annotators.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 5,
  name: 'review',
  sql: `
DROP VIEW current_labels;
DROP VIEW labels_in_force;

-- The ledger, as before: appended, never changed. An undo may come from another ledger before what it undoes, so of_id is no
-- foreign key: the union of two ledgers is then the same in either order.
CREATE TABLE labels_new (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  act TEXT NOT NULL CHECK (act IN ('label', 'undo', 'redo', 'adjudication')),
  of_id TEXT,
  target_type TEXT NOT NULL CHECK (target_type IN ('rollout', 'segment', 'item', 'span', 'tokens', 'marker')),
  rollout_uid TEXT NOT NULL,
  -- Canonical JSON of the target; equal targets have equal keys.
  target TEXT NOT NULL,
  verdict TEXT CHECK (verdict IN ('hack', 'clean', 'unsure')),
  kinds TEXT NOT NULL DEFAULT '[]',
  -- JSON of the five answers; only those that were given.
  fields TEXT NOT NULL DEFAULT '{}',
  note TEXT NOT NULL DEFAULT '',
  confidence REAL,
  annotator TEXT NOT NULL,
  at TEXT NOT NULL,
  pack TEXT,
  pack_version TEXT,
  schema_id TEXT,
  schema_version TEXT,
  queue_uid TEXT,
  queue_item TEXT,
  -- JSON of what had been on the screen; null where it is not known.
  seen TEXT,
  elapsed_ms INTEGER,
  -- JSON array of the labels that an adjudication decides.
  decides TEXT NOT NULL DEFAULT '[]',
  origin TEXT NOT NULL,
  CHECK ((act IN ('label', 'adjudication')) = (verdict IS NOT NULL)),
  CHECK ((act IN ('undo', 'redo')) = (of_id IS NOT NULL))
) STRICT;
INSERT INTO labels_new (seq, id, act, of_id, target_type, rollout_uid, target, verdict, kinds, note, confidence, annotator, at,
  pack, pack_version, origin)
SELECT seq, id, act, of_id, target_type, rollout_uid, target, verdict, kinds, note, confidence, annotator, at, pack,
  pack_version, origin FROM labels;
DROP TABLE labels;
ALTER TABLE labels_new RENAME TO labels;
CREATE INDEX labels_by_target ON labels (rollout_uid, target, annotator);
CREATE INDEX labels_by_of ON labels (of_id) WHERE of_id IS NOT NULL;
CREATE INDEX labels_by_annotator ON labels (annotator);
CREATE INDEX labels_by_queue_item ON labels (queue_item) WHERE queue_item IS NOT NULL;
CREATE INDEX labels_by_queue ON labels (queue_uid) WHERE queue_uid IS NOT NULL;
CREATE INDEX labels_adjudications ON labels (rollout_uid, target) WHERE act = 'adjudication';
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

-- Labels and adjudications that are in force: their newest undo or redo is not an undo. Newest is by time, then by id and never
-- by order of arrival, so that merged ledgers say the same whichever came first.
CREATE VIEW acts_in_force AS
SELECT l.* FROM labels l
WHERE l.act IN ('label', 'adjudication')
  AND COALESCE((SELECT r.act FROM labels r WHERE r.of_id = l.id ORDER BY r.at DESC, r.id DESC LIMIT 1), 'redo') = 'redo';

CREATE VIEW labels_in_force AS SELECT * FROM acts_in_force WHERE act = 'label';

-- What each annotator says now of each target: the newest label in force.
CREATE VIEW current_labels AS
SELECT f.* FROM labels_in_force f
WHERE f.id = (
  SELECT g.id FROM labels_in_force g
  WHERE g.rollout_uid = f.rollout_uid AND g.target = f.target AND g.annotator = f.annotator
  ORDER BY g.at DESC, g.id DESC LIMIT 1
);

-- The final word on a target, where there is one: the newest adjudication in force, whoever gave it.
CREATE VIEW current_adjudications AS
SELECT f.* FROM acts_in_force f
WHERE f.act = 'adjudication' AND f.id = (
  SELECT g.id FROM acts_in_force g
  WHERE g.act = 'adjudication' AND g.rollout_uid = f.rollout_uid AND g.target = f.target
  ORDER BY g.at DESC, g.id DESC LIMIT 1
);

-- What people say of a target all in all: the adjudication, else the annotators' common verdict, else 'disputed'.
CREATE VIEW target_verdicts AS
SELECT c.rollout_uid, c.target_type, c.target,
  COALESCE((SELECT a.verdict FROM current_adjudications a WHERE a.rollout_uid = c.rollout_uid AND a.target = c.target),
    CASE WHEN COUNT(DISTINCT c.verdict) = 1 THEN MAX(c.verdict) ELSE 'disputed' END) AS verdict
FROM current_labels c GROUP BY c.rollout_uid, c.target_type, c.target
UNION ALL
SELECT a.rollout_uid, a.target_type, a.target, a.verdict FROM current_adjudications a
WHERE NOT EXISTS (SELECT 1 FROM current_labels c WHERE c.rollout_uid = a.rollout_uid AND c.target = a.target);

-- Versions of label schemas, never changed; one is the current one.
CREATE TABLE label_schemas (
  id INTEGER PRIMARY KEY,
  schema TEXT NOT NULL,
  version TEXT NOT NULL,
  title TEXT NOT NULL,
  yaml TEXT NOT NULL,
  current INTEGER NOT NULL DEFAULT 0 CHECK (current IN (0, 1)),
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (schema, version, yaml)
) STRICT;

CREATE TABLE queues (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  target_type TEXT NOT NULL CHECK (target_type IN ('rollout', 'marker')),
  -- JSON of the filter, of the sampling plan and of what is hidden (contract queues.ts).
  filter TEXT NOT NULL,
  plan TEXT NOT NULL,
  hidden TEXT NOT NULL,
  seed INTEGER NOT NULL,
  population INTEGER NOT NULL,
  per_item INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  lease_seconds INTEGER NOT NULL,
  schema_id TEXT NOT NULL,
  schema_version TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  closed_at TEXT
) STRICT;

-- The entries, in order. Rollouts and markers are named by public id. Who decided what stands in the ledger only.
CREATE TABLE queue_items (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  rollout_uid TEXT NOT NULL,
  target TEXT NOT NULL,
  -- Chance in 0..1 that the plan drew it.
  probability REAL NOT NULL CHECK (probability > 0 AND probability <= 1),
  stratum TEXT,
  -- For a repeat: the entry that comes a second time.
  repeat_of TEXT,
  UNIQUE (queue_id, position)
) STRICT;
CREATE INDEX queue_items_by_rollout ON queue_items (rollout_uid);

-- Who has an item in hand until when (milliseconds since 1970), or put it off. One row per person and item.
CREATE TABLE queue_claims (
  item_id INTEGER NOT NULL REFERENCES queue_items (id) ON DELETE CASCADE,
  annotator TEXT NOT NULL,
  -- 0 when it is not in hand.
  until INTEGER NOT NULL,
  -- When it was put off last; null when it was not.
  skipped_at INTEGER,
  PRIMARY KEY (item_id, annotator)
) STRICT, WITHOUT ROWID;

CREATE TABLE annotators (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'annotator', 'adjudicator', 'admin')),
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
};
