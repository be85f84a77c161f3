// The promise of "verify my trainer", measured: every known mistake, planted into logs of every preset, in both precisions, over
// random data. The right diagnosis must stand first in 95 of 100 cases, and correct logs must be clean without exception.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyRollouts } from '../../../app/domain/advantage/verify/verify.ts';
import { advantages, bf16, fp32, log, makeBatch, type Recipe, type Shape, stream } from './verify-batches.ts';
import { morePlants } from './verify-more-plants.ts';
import { namedIn, type Plant, plants } from './verify-plants.ts';
import { presetRecipes } from './verify-recipes.ts';

/** Batches for each mistake, preset and precision; more of them when looking for weak spots. */
const batches = Number(process.env.ROLLSCOPE_PLANT_BATCHES ?? 1);
const drawn = Number(process.env.ROLLSCOPE_PLANT_SEED ?? 20_260);

const rounds = { fp32, bf16 } as const;
type Precision = keyof typeof rounds;
const precisions: readonly Precision[] = ['fp32', 'bf16'];

/** Small batches: what is hard about a mistake is its kind, not the number of rollouts. */
function small(seed: number): Shape {
  const next = stream(seed + 31);
  return { groups: 1, members: 3, scale: 0.5, segments: () => 1 + Math.floor(next() * 5) };
}

interface Count {
  right: number;
  all: number;
  readonly misses: string[];
}

const recipesFor = ({ styles }: Plant): readonly (readonly [string, Recipe | undefined])[] =>
  styles.length === 0
    ? Object.keys(presetRecipes)
        .slice(0, 4)
        .map((name) => [name, undefined] as const)
    : Object.entries(presetRecipes).filter(([, { style }]) => styles.includes(style));

function measure(plant: Plant, precision: Precision, place: number): Count {
  const total: Count = { right: 0, all: 0, misses: [] };
  for (const [r, [name, recipe]] of recipesFor(plant).entries()) {
    // The second precision takes turns over the presets: rounding is the same in all of them.
    if (precision === 'bf16' && plant.styles.length > 3 && (r + place) % 2 === 1) continue;
    const seeds = fc.sample(fc.noBias(fc.integer({ min: 1, max: 1_000_000 })), {
      seed: drawn + 100 * place + r + (precision === 'fp32' ? 0 : 50),
      numRuns: batches,
    });
    for (const seed of seeds) {
      const { code, affected, input, logged } = plant.make(seed, rounds[precision], recipe, small(seed));
      for (const { id, diagnosis } of verifyRollouts(input, logged)) {
        if (!affected.has(id)) continue;
        total.all += 1;
        if (diagnosis.code === code) total.right += 1;
        else total.misses.push(`${name}, seed ${seed}, ${id}: ${diagnosis.code}`);
      }
    }
  }
  return total;
}

const share = ({ right, all }: Count): string => `${right}/${all}`.padStart(12);

describe('every mistake in every preset', () => {
  const all = [...plants, ...morePlants];
  const table: string[] = [];
  const sum: Record<Precision, Count> = {
    fp32: { right: 0, all: 0, misses: [] },
    bf16: { right: 0, all: 0, misses: [] },
  };

  it.each(all.map((plant, place) => ({ name: plant.name, plant, place })))('$name', ({ name, plant, place }) => {
    const counts = precisions.map((precision) => {
      const count = measure(plant, precision, place);
      sum[precision].right += count.right;
      sum[precision].all += count.all;
      expect(count.all, 'cases').toBeGreaterThan(2);
      return count;
    });
    table.push(`${name.padEnd(66)}${counts.map(share).join('')}`);
    const cases = counts.reduce((n, count) => n + count.all, 0);
    const misses = counts.flatMap((count) => count.misses);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(Math.max(1, 0.05 * cases));
  });

  it('is named first in 95 of 100 cases, in either precision', () => {
    console.log(
      [
        `${'planted mistake, right diagnosis first'.padEnd(66)}${precisions.map((name) => name.padStart(12)).join('')}`,
        ...table,
        `${'all'.padEnd(66)}${precisions.map((name) => share(sum[name])).join('')}`,
      ].join('\n'),
    );
    for (const precision of precisions) {
      expect(sum[precision].right / sum[precision].all, precision).toBeGreaterThanOrEqual(0.95);
    }
  });
});

describe('correct logs of every preset', () => {
  it.each(Object.entries(presetRecipes))('%s is clean', (_name, recipe) => {
    for (const [precision, round] of Object.entries(rounds)) {
      for (const seed of fc.sample(fc.noBias(fc.integer({ min: 1, max: 1_000_000 })), {
        seed: drawn,
        numRuns: 3 * batches,
      })) {
        const cases = makeBatch(seed, small(seed));
        const columns = cases.map((one) => advantages(one, recipe));
        const { input, logged } = log(cases, columns, { named: namedIn(seed, recipe), round, ids: true });
        const codes = verifyRollouts(input, logged).map(({ id, diagnosis }) => `${id}: ${diagnosis.code}`);
        expect(codes, `${precision}, seed ${seed}`).toEqual(cases.map(({ id }) => `${id}: clean`));
      }
    }
  });
});
