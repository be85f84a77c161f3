// Further mistakes: those that whitening hides, values files that are off, normalisers of every kind, carried turns.

import type { DiagnosisCode } from '../../../app/contract/verify.ts';
import { advantages, type Case, log, makeBatch, type Part, type Recipe, type Shape } from './verify-batches.ts';
import { allStyles, factorPlant, namedIn, type Plant, recipeOf, shift, whiten } from './verify-plants.ts';

type Change = NonNullable<Recipe['change']>;

/** A wrong pass over every segment, whitened over the batch afterwards, as verl and OpenRLHF always do. */
function hiddenPlant(name: string, code: DiagnosisCode, change: Change, shape: Shape = {}): Plant {
  return {
    name: `${name}, then whitened`,
    styles: allStyles,
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, { ...size, ...shape });
      const wrong = cases.map((one) => advantages(one, { ...right, change }));
      // A trainer with another mask whitens over that mask.
      const seen = cases.map((one) => ({
        ...one,
        parts: one.parts.map((part, s) => ({ ...part, mask: change(part, s).mask ?? part.mask })),
      }));
      const columns = whiten(wrong, seen, () => 'all', seed % 2);
      const affected = new Set(cases.map(({ id }) => id));
      return { code, affected, ...log(cases, columns, { named: namedIn(seed, right), round }) };
    },
  };
}

/** A mistake of a trainer that walks observations anyway, as slime does: another pass, or a number for each rollout. */
function overAllPlant(name: string, code: DiagnosisCode, change: Change, factor: (place: number) => number): Plant {
  return {
    name: `${name}, observations being transitions`,
    styles: ['cross', 'local', 'last'],
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, size);
      const walked: Recipe = { ...right, change: (part, s) => ({ over: 'all', ...change(part, s) }) };
      const columns = cases.map((one, place) =>
        advantages(one, walked).map((column) => column.map((x) => x * factor(place))),
      );
      const affected = new Set(cases.map(({ id }) => id));
      return { code, affected, ...log(cases, columns, { named: namedIn(seed, right), round }) };
    },
  };
}

/** Values that the log, or a file joined to it, has one token off, with the one at the edge lost. The trainer's were right. */
function lostEdgePlant(name: string, by: 1 | -1, edge: number): Plant {
  return {
    name,
    styles: ['cross', 'local', 'last'],
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, size);
      const columns = cases.map((one) => advantages(one, right));
      const off = cases.map((one) => ({
        ...one,
        parts: one.parts.map((part) => ({ ...part, values: part.values.map((_, t) => part.values[t + by] ?? edge) })),
      }));
      const affected = new Set(cases.map(({ id }) => id));
      return { code: 'values-shifted', affected, ...log(off, columns, { named: namedIn(seed, right), round }) };
    },
  };
}

const count = ({ parts }: Case, of: (part: Part) => number): number => parts.reduce((sum, part) => sum + of(part), 0);

/** Puts the last action of every segment, masked in, at the start of the next one. */
function withCarriedTurns(one: Case): Case {
  const parts = one.parts.map((part, s): Part => {
    const before = one.parts[s - 1];
    if (before === undefined) return part;
    const end = before.mask.lastIndexOf(1) + 1;
    const start = before.mask.lastIndexOf(0, end - 1) + 1;
    const carried = Array.from({ length: end - start }, (_, k) => start + k);
    const prompt = [0, 0, 0, 0];
    const joined = (copy: readonly number[], own: readonly number[]): number[] => [...prompt, ...copy, 0, ...own];
    return {
      ...part,
      mask: joined(
        carried.map(() => 1),
        part.mask,
      ),
      ids: joined(
        carried.map((t) => before.ids[t] ?? 0),
        part.ids,
      ),
      values: joined(
        carried.map((t) => Math.fround((before.values[t] ?? 0) + 0.01)),
        part.values,
      ),
      logprobs: joined(
        carried.map((t) => before.logprobs[t] ?? 0),
        part.logprobs,
      ),
    };
  });
  return { ...one, parts };
}

export const morePlants: readonly Plant[] = [
  hiddenPlant('values one later', 'values-shifted', (part) => ({ values: shift(part.values, 1) })),
  hiddenPlant('values one earlier', 'values-shifted', (part) => ({ values: shift(part.values, -1) })),
  hiddenPlant('mask one later', 'mask-shifted', (part) => ({ mask: shift(part.mask, -1) })),
  hiddenPlant('mask one earlier', 'mask-shifted', (part) => ({ mask: shift(part.mask, 1) })),
  hiddenPlant('mask inverted', 'mask-inverted', (part) => ({ mask: part.mask.map((m) => 1 - m) }), { tail: 'masked' }),
  hiddenPlant('recursion reset at observations', 'return-reset-at-observations', () => ({ reset: true }), {
    segments: 3,
  }),
  hiddenPlant('reward on a masked tail', 'reward-on-masked-tail', () => ({ at: 'tail' }), { tail: 'masked' }),
  overAllPlant(
    'values one later',
    'values-shifted',
    (part) => ({ values: shift(part.values, 1) }),
    () => 1,
  ),
  overAllPlant(
    'values one earlier',
    'values-shifted',
    (part) => ({ values: shift(part.values, -1) }),
    () => 1,
  ),
  overAllPlant(
    'a number of its own',
    'normaliser-per-rollout',
    () => ({}),
    (place) => 0.2 + 0.13 * place,
  ),
  lostEdgePlant('a values file of the token after, 0 at its edge', 1, 0),
  lostEdgePlant('a values file of the token before, 0 at its edge', -1, 0),
  lostEdgePlant('a values file of the token after, nothing at its edge', 1, Number.NaN),
  lostEdgePlant('a values file of the token before, nothing at its edge', -1, Number.NaN),
  factorPlant(
    'one over the root of the trainable tokens',
    'normaliser-per-rollout',
    (one) => 1 / Math.sqrt(count(one, ({ mask }) => mask.filter((m) => m === 1).length)),
    undefined,
  ),
  factorPlant(
    'one over all tokens',
    'normaliser-per-rollout',
    (one) => 1 / count(one, ({ mask }) => mask.length),
    undefined,
  ),
  factorPlant(
    'a number of its own',
    'normaliser-per-rollout',
    (one) => 0.2 + 0.13 * Number(one.id.split('-').at(-1)),
    undefined,
  ),
  {
    name: 'a turn carried over and trained again',
    styles: allStyles,
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, { ...size, segments: 2 + (seed % 4) }).map(withCarriedTurns);
      return {
        code: 'trained-twice',
        affected: new Set(cases.map(({ id }) => id)),
        ...log(
          cases,
          cases.map((one) => advantages(one, right)),
          { named: namedIn(seed, right), round, ids: true },
        ),
      };
    },
  },
];
