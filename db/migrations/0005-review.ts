// Migration 5: label schemas, queues and reservations.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 5,
  name: 'review',
  sql: '',
};
