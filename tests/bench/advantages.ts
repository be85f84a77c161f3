// The part of the bench about recomputing advantages: from the database to the database against numpy and scipy over .npy files,
// and the arithmetic alone against copying the arrays. See docs/bench.md.

import { execFile } from 'node:child_process';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeNpy, makeWorkspace } from './make-values.ts';
import { median, runScript } from './measure.ts';

const run = promisify(execFile);
const shape = { rollouts: 2_000, tokens: 20_000_000 };

interface Numpy {
  readonly each: number;
  readonly whole: number;
  readonly save: number;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function hasNumpy(): Promise<boolean> {
  try {
    await run('python3', ['-c', 'import numpy, scipy.signal']);
    return true;
  } catch {
    return false;
  }
}

/** Runs `rounds` rounds in turns and prints medians. Files are made in `folder` and kept. */
export async function benchAdvantages(
  folder: string,
  rounds: number,
  line: (title: string, ...cells: readonly string[]) => void,
): Promise<void> {
  const ms = (value: number): string => `${Math.round(value)} ms`.padStart(9);
  const workspace = join(folder, 'values.rollscope');
  if (!(await isThere(workspace))) makeWorkspace(workspace, shape);
  const arrays = join(folder, 'npy');
  const numpy = await hasNumpy();
  if (numpy && !(await isThere(join(arrays, 'rewards.npy')))) await makeNpy(arrays, shape);
  console.log(
    `\nRecomputing ${shape.tokens / 1e6} million tokens in ${shape.rollouts} rollouts of 1 to 8 segments, medians of ${rounds}`,
  );
  const ours: number[] = [];
  const theirs: Numpy[] = [];
  const copy = join(folder, 'values-run.rollscope');
  for (let round = 0; round < rounds; round += 1) {
    for (const suffix of ['', '-wal', '-shm']) await rm(copy + suffix, { force: true });
    await copyFile(workspace, copy);
    ours.push((await runScript<{ jobMs: number }>('advantages-once.ts', [copy])).jobMs);
    if (!numpy) continue;
    const script = join(import.meta.dirname, 'gae-numpy.py');
    const { stdout } = await run('python3', [script, arrays, join(folder, 'result.npy')]);
    // Boundary: the script is ours and prints what its type says.
    theirs.push(JSON.parse(stdout) as Numpy);
  }
  for (const suffix of ['', '-wal', '-shm']) await rm(copy + suffix, { force: true });
  await rm(join(folder, 'result.npy'), { force: true });
  const job = median(ours);
  line('from the database to the database', ms(job));
  if (numpy) {
    const against = (title: string, of: (one: Numpy) => number): void => {
      const took = 1_000 * median(theirs.map(of));
      line(title, ms(took), `${(job / took).toFixed(2)} × of it is ours, wanted: at most 1.00 ×`);
    };
    against('numpy and scipy, one .npy per segment and column', ({ each }) => each);
    against('and their results saved', ({ each, save }) => each + save);
    against('numpy and scipy, one .npy per column', ({ whole }) => whole);
    against('and their results saved', ({ whole, save }) => whole + save);
  } else line('numpy and scipy', 'SKIPPED: python3 with numpy and scipy is not installed');
  const alone = await runScript<{ arithmeticMs: number; copyMs: number }>('arithmetic-once.ts', [
    String(shape.rollouts),
    String(shape.tokens),
  ]);
  line('the arithmetic alone', ms(alone.arithmeticMs));
  const ratio = `${(alone.arithmeticMs / alone.copyMs).toFixed(2)} ×`;
  line('copying the arrays it reads and gives', ms(alone.copyMs), `arithmetic is ${ratio}, wanted: at most 2.00 ×`);
}
