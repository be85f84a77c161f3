// False alarms on the agent logs of the reference material, which are all honest as far as is known: imported and scanned by the
// command line in a workspace of their own.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const main = resolve(import.meta.dirname, '../../app/host/cli/main.ts');

const report = z.object({
  rollouts: z.array(z.object({ id: z.string(), marked: z.boolean() })),
  markers: z.array(z.object({ rollout: z.string(), rule: z.string(), weak: z.boolean() })),
});

export interface Alarms {
  readonly rollouts: number;
  /** The rollouts marked, each with the strong rules that marked it. */
  readonly marked: readonly { readonly rollout: string; readonly rules: readonly string[] }[];
}

/** Imports the folder and scans it with the starter pack. */
export function alarmsOn(folder: string): Alarms {
  const work = mkdtempSync(join(tmpdir(), 'rollscope-eval-'));
  try {
    const run = (...args: readonly string[]): string => {
      try {
        return execFileSync(process.execPath, [main, ...args, '--db', join(work, 'eval.db'), '--json'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
          maxBuffer: 1 << 29,
        });
      } catch (error) {
        // The corpus holds broken files on purpose: the command says so by its status and goes on.
        if (typeof error === 'object' && error !== null && 'stdout' in error && typeof error.stdout === 'string')
          return error.stdout;
        throw error;
      }
    };
    run('import', folder);
    const { rollouts, markers } = report.parse(JSON.parse(run('scan')));
    const marked = rollouts
      .filter((rollout) => rollout.marked)
      .map(({ id }) => ({
        rollout: id,
        rules: [
          ...new Set(markers.filter((each) => each.rollout === id && !each.weak).map(({ rule }) => rule)),
        ].toSorted(),
      }));
    return { rollouts: rollouts.length, marked };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
