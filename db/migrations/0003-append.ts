// Migration 3: where an import of a growing file stopped.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 3,
  name: 'append',
  sql: '',
};
