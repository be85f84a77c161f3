// Migration 4: values joined to rollouts and what their runs were made from.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 4,
  name: 'advantages',
  sql: '',
};
