// The table of commands, in the order of the help.

import type { Command } from '../command.ts';
import { advantagesCommand } from './advantages.ts';
import { annotatorsCommand } from './annotators.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { filterCommand } from './filter.ts';
import { importCommand } from './import.ts';
import { judgeCommand } from './judge.ts';
import { labelsCommand } from './labels.ts';
import { mergeCommand } from './merge.ts';
import { openCommand } from './open.ts';
import { queueCommand } from './queue.ts';
import { rolloutsCommand } from './rollouts.ts';
import { scanCommand } from './scan.ts';
import { searchCommand } from './search.ts';
import { serveCommand } from './serve.ts';
import { showCommand } from './show.ts';
import { startCommand } from './start.ts';
import { tuneCommand } from './tune.ts';
import { vectorsCommand } from './vectors.ts';
import { verifyCommand } from './verify.ts';

export const commands: readonly Command[] = [
  importCommand,
  rolloutsCommand,
  showCommand,
  searchCommand,
  advantagesCommand,
  verifyCommand,
  scanCommand,
  filterCommand,
  judgeCommand,
  labelsCommand,
  queueCommand,
  annotatorsCommand,
  mergeCommand,
  tuneCommand,
  vectorsCommand,
  exportCommand,
  serveCommand,
  openCommand,
  startCommand,
  demoCommand,
  doctorCommand,
];
