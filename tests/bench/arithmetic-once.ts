// The estimator's arithmetic alone, over arrays in memory, against copying the same arrays once: those it reads and those it
// gives. Run: node arithmetic-once.ts ROLLOUTS TOKENS. Prints one JSON object: medians of five rounds, milliseconds of this thread's
// own processor time, which other work on the machine does not change.

import { presetByName } from '../../app/domain/advantage/presets.ts';
import { runEstimator } from '../../app/domain/advantage/registry.ts';
import type { RolloutInput } from '../../app/domain/advantage/types.ts';
import { rolloutsOf } from './make-values.ts';
import { median } from './measure.ts';

const [rollouts = 2_000, tokens = 20_000_000] = process.argv.slice(2).map(Number);
const preset = presetByName('compactionrl-paper');
if (preset === undefined) throw new Error('the preset is gone');

/** Rollouts at a time, as the app does it. */
const batchSize = 16;
const inputs: RolloutInput[] = [];
for (const { reward, segments } of rolloutsOf({ rollouts, tokens })) {
  inputs.push({
    id: `b-${inputs.length}`,
    groupId: 'g',
    status: 'terminated',
    reward,
    segments: segments.map(({ values, mask }) => ({ kind: 'execution', lossMask: mask, values })),
  });
}

/** Milliseconds of processor time of this thread so far. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const arithmetic: number[] = [];
const copying: number[] = [];
let check = 0;
for (let round = 0; round < 5; round += 1) {
  let computed = 0;
  let copied = 0;
  for (let start = 0; start < inputs.length; start += batchSize) {
    const batch = inputs.slice(start, start + batchSize);
    const begun = cpu();
    const input = { rollouts: batch, nanIsMissing: true, resultsOnly: true };
    const results = runEstimator(preset.estimator, preset.params, input).rollouts;
    const between = cpu();
    const given = batch.flatMap((one) => one.segments);
    for (const [s, segment] of results.flatMap((one) => one.segments).entries()) {
      for (const array of [given[s]?.lossMask, given[s]?.values, segment.columns.advantages, segment.columns.returns]) {
        if (ArrayBuffer.isView(array)) check += new Uint8Array(array.buffer.slice(0)).length;
      }
    }
    computed += between - begun;
    copied += cpu() - between;
  }
  arithmetic.push(computed);
  copying.push(copied);
}
console.log(JSON.stringify({ arithmeticMs: median(arithmetic), copyMs: median(copying), bytes: check / 5 }));
