// A small native log for the contract suite: two siblings of one group, one of which compacts once and reads a grader.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
