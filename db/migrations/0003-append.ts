// Migration 3: where an import of a growing file stopped, and how the same file is known again.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 3,
  name: 'append',
  sql: `
    -- Where reading can go on: JSON of db/queries/source-growth.ts; null for a format that is read from the start again.
    ALTER TABLE sources ADD COLUMN resume TEXT;
    -- 1 while the file was not read to its end: an import that goes on, or was interrupted and holds what was committed.
    ALTER TABLE sources ADD COLUMN incomplete INTEGER NOT NULL DEFAULT 0 CHECK (incomplete IN (0, 1));
    -- File number and hashes of the first and the last bytes of the first 'size' bytes: tells growth from rewriting.
    ALTER TABLE sources ADD COLUMN fingerprint TEXT;
    -- What the last import added to a file that had grown, as JSON of the contract's \`growth\`; null after a whole import.
    ALTER TABLE sources ADD COLUMN growth TEXT;
  `,
};
