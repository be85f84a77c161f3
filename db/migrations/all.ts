// All migrations in order. A new one is a new file and a new line here; a released one is never edited.

import type { Migration } from '../migrate.ts';
import { migration as initial } from './0001-initial.ts';
import { migration as search } from './0002-search.ts';

export const migrations: readonly Migration[] = [initial, search];
