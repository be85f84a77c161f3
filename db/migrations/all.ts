// All migrations in order. A new one is a new file and a new line here; a released one is never edited.

import type { Migration } from '../migrate.ts';
import { migration as initial } from './0001-initial.ts';
import { migration as search } from './0002-search.ts';
import { migration as append } from './0003-append.ts';
import { migration as advantages } from './0004-advantages.ts';
import { migration as review } from './0005-review.ts';
import { migration as judge } from './0006-judge.ts';
import { migration as scans } from './0007-scans.ts';

export const migrations: readonly Migration[] = [initial, search, append, advantages, review, judge, scans];
