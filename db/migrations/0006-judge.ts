// Migration 6: judgements of the intent judge, task contracts and calibration.

import type { Migration } from '../migrate.ts';

export const migration: Migration = {
  version: 6,
  name: 'judge',
  sql: '',
};
