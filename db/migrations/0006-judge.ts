// Migration 6: the intent judge's prompts, votes and judgements, and the edits of task contracts.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 6,
  name: 'judge',
  sql: `
-- Prompts of this workspace. Version 1 is the one that the program ships and is not stored.
CREATE TABLE judge_prompts (
  version INTEGER PRIMARY KEY CHECK (version > 1),
  text TEXT NOT NULL,
  -- SHA-256 of the text, hex: judgements name their prompt by it.
  hash TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

-- Answers of a model, each under the hash of everything that was asked, so that nothing is paid for twice and a cancelled run
-- goes on where it stopped.
CREATE TABLE judge_votes (
  -- SHA-256 over prompt, model, sampling settings and input, without the random fence.
  request_hash TEXT NOT NULL,
  -- Number of the vote, from 0.
  vote INTEGER NOT NULL,
  -- JSON of the checked answer.
  answer TEXT NOT NULL,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  at TEXT NOT NULL,
  PRIMARY KEY (request_hash, vote)
) STRICT, WITHOUT ROWID;

-- What the judge said of a marker. Appended, never changed: the newest of a marker is in force. Markers and rollouts are named by
-- public id, so that judgements outlive a scan and a re-import. Labels are another table, which the judge never touches.
CREATE TABLE judgements (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  marker_uid TEXT NOT NULL,
  rollout_uid TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- 'failed' has no verdict: a judge that failed has not said clean.
  status TEXT NOT NULL CHECK (status IN ('judged', 'failed')),
  verdict TEXT CHECK (verdict IN ('hack', 'clean', 'unsure')),
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_version INTEGER NOT NULL,
  prompt_hash TEXT NOT NULL,
  -- JSON of the rest (contract judgement).
  detail TEXT NOT NULL,
  at TEXT NOT NULL,
  CHECK ((status = 'judged') = (verdict IS NOT NULL))
) STRICT;
CREATE INDEX judgements_by_marker ON judgements (marker_uid);
CREATE INDEX judgements_by_rollout ON judgements (rollout_uid);

-- JSON of the contract (markerOutcome); null for markers of older scans.
ALTER TABLE markers ADD COLUMN outcome TEXT;

-- Edits of what a task forbids and grants. Appended, never changed; the newest of a task is in force. A null contract takes the edits
-- back: what the program reads from the task's text holds again.
CREATE TABLE task_contracts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Id of the task; the public id of the rollout where the log names no task.
  task TEXT NOT NULL,
  -- Counts the edits of the task, from 1.
  version INTEGER NOT NULL,
  contract TEXT,
  annotator TEXT NOT NULL,
  at TEXT NOT NULL,
  UNIQUE (task, version)
) STRICT;
CREATE TRIGGER task_contracts_never_change BEFORE UPDATE ON task_contracts BEGIN
  SELECT RAISE(ABORT, 'edits of task contracts are append-only');
END;
CREATE TRIGGER task_contracts_never_vanish BEFORE DELETE ON task_contracts BEGIN
  SELECT RAISE(ABORT, 'edits of task contracts are append-only');
END;
`,
};
