// Migration 2: the full-text index over bodies. It keeps trigrams only, never the texts: a hit is a candidate that the engine
// reads and checks, so the index can be absent, partial or complete without changing an answer.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 2,
  name: 'search',
  sql: `
-- Which trigrams a body has: folded by the program (app/domain/text/literal.ts), hence case_sensitive here. 'raw' is the text as
-- stored, 'view' what it reads as where it is the arguments of a tool call. Rowids are body ids.
CREATE VIRTUAL TABLE body_trigrams USING fts5 (
  raw,
  "view",
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = 'trigram case_sensitive 1'
);

-- How far the index reaches: every body up to this id is in it, or is a large one (below); no body beyond is.
CREATE TABLE search_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  indexed_to INTEGER NOT NULL,
  -- Version of the folding the index was made with; another one makes it worthless.
  folding TEXT NOT NULL,
  -- Bodies ever put into the index, and how many of them are gone.
  entries INTEGER NOT NULL DEFAULT 0,
  stale INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO search_state (id, indexed_to, folding) VALUES (1, 0, '');

-- Bodies too large to index in one short transaction. They are few and always read.
CREATE INDEX bodies_large ON bodies (id) WHERE bytes > 524288;

-- A deleted body stays in the index, where it is found by nobody: taking it out costs a thousand times more than deleting it.
-- Ids above the largest one are handed out again, so the reach never exceeds it.
CREATE TRIGGER bodies_leave_index AFTER DELETE ON bodies
WHEN OLD.id <= (SELECT indexed_to FROM search_state) BEGIN
  UPDATE search_state SET stale = stale + 1, indexed_to = MIN(indexed_to, (SELECT COALESCE(MAX(id), 0) FROM bodies));
END;
`,
};
