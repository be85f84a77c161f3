// Run by interrupt.test.ts as a process of its own: imports a folder into a workspace with the two threads that do it, and says
// when it begins and ends. It is killed somewhere in between.

import { writeSync } from 'node:fs';
import { runImport } from '../../../app/engine/imports/import-job.ts';
import { quietJob, startImportThreads } from './import-threads.ts';

const [path, ...paths] = process.argv.slice(2);
if (path === undefined || paths.length === 0) throw new Error('usage: import-until-killed.ts WORKSPACE PATH...');
const threads = startImportThreads(path);
await Promise.all([threads.writer.call('ready', undefined), threads.parser.call('loneFormats', undefined)]);
writeSync(1, 'open\n');
await runImport(threads, { paths, format: null, limits: {} }, quietJob());
await threads.parser.close();
await threads.writer.close();
writeSync(1, 'done\n');
process.exit(0);
