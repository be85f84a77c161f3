// Verify my trainer: correct logs are clean, nothing depends on the order of the batch, stand-ins are labelled. Planted mistakes
// have a test of their own, verify-planted.test.ts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyReport } from '../../../app/contract/verify.ts';
import { verifyRollouts } from '../../../app/domain/advantage/verify/verify.ts';
import { format } from '../../../app/ingest/formats/slime.ts';
import { collect, numbers } from '../../fixtures/collected.ts';
import { diskFile, eventsOf } from '../../fixtures/memory-source.ts';
import { sharedPath } from '../../shared-material.ts';
import { advantages, bf16, type Case, fp32, log, makeBatch, pass, stream } from './verify-batches.ts';
import { cleanLog, plants } from './verify-plants.ts';

describe('correct logs', () => {
  it.each([
    ['fp32', fp32],
    ['bf16', bf16],
  ] as const)('are clean (%s)', (precision, round) => {
    for (let seed = 301; seed <= 308; seed += 1) {
      const { input, logged } = cleanLog(seed, round);
      for (const result of verifyRollouts(input, logged)) {
        expect([seed, result.id, result.diagnosis.code]).toEqual([seed, result.id, 'clean']);
        expect([result.status, result.divergences, result.alternatives]).toEqual(['clean', [], []]);
        // Advantages of a group whose numbers are few and simple fit both formats.
        if (seed % 4 !== 3) expect(result.precision).toBe(precision);
        expect(result.fits[0]?.max).toBeLessThan(precision === 'fp32' ? 1e-3 : 1);
      }
    }
  });

  it('are clean when a float32 recursion made them', () => {
    const cases = makeBatch(5, { groups: 1, members: 2, segments: 1, scale: 40 });
    const columns = cases.map((one) =>
      one.parts.map((part) => {
        const out = part.mask.map(() => 0);
        let running = 0;
        let next = 0;
        const last = part.mask.lastIndexOf(1);
        for (let t = part.mask.length - 1; t >= 0; t -= 1) {
          if (part.mask[t] !== 1) continue;
          const value = part.values[t] ?? 0;
          const delta = Math.fround(Math.fround((t === last ? one.reward : 0) + next) - value);
          running = Math.fround(delta + Math.fround(0.999 * running));
          out[t] = running;
          next = value;
        }
        return out;
      }),
    );
    const { input, logged } = log(cases, columns, { named: { gamma: 1, lambda: 0.999 } });
    expect(verifyRollouts(input, logged).map(({ diagnosis }) => diagnosis.code)).toEqual(['clean', 'clean']);
  });

  it('give a record that the contract takes', () => {
    const { input, logged } = cleanLog(301, fp32);
    const rollouts = verifyRollouts(input, logged);
    expect(verifyReport.parse({ rollouts })).toEqual({ rollouts });
  });
});

it('does not depend on the order of the batch', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: plants.length - 1 }), fc.integer({ min: 400, max: 404 }), (which, seed) => {
      const plant = plants[which];
      if (plant === undefined) return;
      const { input, logged } = plant.make(seed, fp32);
      const straight = verifyRollouts(input, logged);
      const order = input.rollouts.map((_, i) => i);
      const next = stream(seed + which);
      order.sort(() => next() - 0.5);
      const mixed = verifyRollouts(
        { ...input, rollouts: order.flatMap((i) => input.rollouts[i] ?? []) },
        order.flatMap((i) => logged[i] ?? []),
      );
      expect(mixed).toEqual(order.map((i) => straight[i]));
    }),
    { numRuns: 6 },
  );
});

describe('one rollout', () => {
  const recipe = { style: 'local', gamma: 1, lambda: 0.95 } as const;
  const single = (seed: number): Case[] => makeBatch(seed, { groups: 1, members: 1, segments: 1, tail: 'trained' });

  it('is shown where it first parts, walking backwards', () => {
    const cases = single(7);
    const columns = cases.map((one) => advantages(one, recipe));
    const part = cases[0]?.parts[0];
    const wrong = columns[0]?.[0];
    const at = (part?.mask.length ?? 0) - 5;
    if (part === undefined || wrong === undefined) throw new Error('one segment expected');
    // A slip at one token: everything before it inherits the error.
    for (let t = at; t >= 0; t -= 1) if (part.mask[t] === 1) wrong[t] = (wrong[t] ?? 0) + 0.5 * 0.999 ** (at - t);
    const [result] = verifyRollouts(...both(log(cases, columns, { named: recipe })));
    expect(result?.diagnosis.code).toBe('unexplained');
    expect(result?.divergences).toMatchObject([{ segment: 0, token: at }]);
    expect(result?.fits[0]?.agreeing).toBeGreaterThan(0);
  });

  it('counts tokens from the start of the segment, prompt included', () => {
    const [one] = single(8);
    if (one === undefined) throw new Error('one rollout expected');
    const prompt = new Array<number>(11).fill(0);
    const missing = new Array<number>(11).fill(Number.NaN);
    const padded = {
      ...one,
      parts: one.parts.map((part) => ({
        ...part,
        mask: [...prompt, ...part.mask],
        values: [...missing, ...part.values],
      })),
    };
    const wrong = advantages(one, { ...recipe, change: () => ({ reward: one.reward + 1 }) }).map((column) => [
      ...missing,
      ...column,
    ]);
    const [result] = verifyRollouts(...both(log([padded], [wrong], { named: recipe })));
    expect(result?.diagnosis.code).toBe('reward-differs');
    expect(result?.divergences[0]?.token).toBe((padded.parts[0]?.mask.length ?? 0) - 1);
  });

  it('says that nothing is logged, and that a mask cannot be read', () => {
    const cases = makeBatch(9, { groups: 1, members: 2, segments: 2 });
    const { input, logged } = log(cases, []);
    const [first, second] = verifyRollouts(
      {
        ...input,
        rollouts: input.rollouts.map((one, i) =>
          i === 1 ? { ...one, segments: one.segments.map((s) => ({ ...s, lossMask: [0.5] })) } : one,
        ),
      },
      logged.map((one) => ({ ...one, segments: [] })),
    );
    expect(first).toMatchObject({ status: 'not-logged', diagnosis: { code: 'not-logged' } });
    expect(second).toMatchObject({ status: 'refused', diagnosis: { evidence: ['mask_not_binary'] } });
    expect(verifyRollouts({ rollouts: [] }, [])).toEqual([]);
  });

  it('compares returns where no advantages are logged', () => {
    const cases = makeBatch(10, { groups: 1, members: 3 });
    const { input, logged } = log(
      cases,
      cases.map((one) => advantages(one, recipe)),
      { named: recipe },
    );
    const returns = logged.map((one, i) => ({
      ...one,
      segments: one.segments.map(({ advantages: column }, s) => ({
        returns: Array.from(column ?? [], (a, t) => Math.fround((a ?? 0) + (cases[i]?.parts[s]?.values[t] ?? 0))),
      })),
    }));
    for (const result of verifyRollouts(input, returns)) {
      expect([result.compared, result.diagnosis.code]).toEqual(['returns', 'clean']);
    }
  });

  it('names the convention of the returns beside the advantages', () => {
    const cases = makeBatch(11, { groups: 1, members: 2, segments: 3 });
    const { input, logged } = log(
      cases,
      cases.map((one) => advantages(one, recipe)),
      { named: recipe },
    );
    const withReturns = logged.map((one, i) => ({
      ...one,
      segments: one.segments.map((segment, s) => {
        const part = cases[i]?.parts[s];
        if (part === undefined) return segment;
        const targets = pass(part, { gamma: 1, lambda: 1, reward: cases[i]?.reward ?? 0 });
        return { ...segment, returns: targets.map((a, t) => Math.fround(a + (part.values[t] ?? 0))) };
      }),
    }));
    expect(verifyRollouts(input, withReturns).map(({ returns }) => returns)).toEqual(
      cases.map(() => 'segment-local with critic λ 1'),
    );
  });
});

describe('what the trainer is meant to do', () => {
  it('makes a convention clean, and anything else a finding', () => {
    const cases = makeBatch(21, { groups: 1, members: 3 });
    const walked = cases.map((one) =>
      advantages(one, { style: 'local', gamma: 1, lambda: 0.95, change: () => ({ over: 'all' }) }),
    );
    const { input, logged } = log(cases, walked);
    const codes = (expected?: string): string[] =>
      verifyRollouts(input, logged, { expect: expected }).map(({ diagnosis }) => diagnosis.code);
    expect(new Set(codes())).toEqual(new Set(['observations-as-transitions']));
    expect(new Set(codes('slime-ppo@624b824'))).toEqual(new Set(['clean']));
    expect(codes('miles-gae')).not.toContain('clean');
  });

  it('finds another estimator than the expected one', () => {
    // A reward of 0 is the same wherever it stands.
    const cases = makeBatch(22, { groups: 1, members: 3, segments: 4 }).map((one) => ({
      ...one,
      reward: one.reward + 0.5,
    }));
    const { input, logged } = log(
      cases,
      cases.map((one) => advantages(one, { style: 'last', gamma: 1, lambda: 0.95 })),
    );
    const results = verifyRollouts(input, logged, { expect: 'miles-gae' });
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['found']));
    expect(results[0]?.diagnosis.evidence.join(' ')).toContain('expected is gae_local');
  });
});

describe('stand-ins for the critic', () => {
  const recipe = { style: 'local', gamma: 1, lambda: 0.9 } as const;
  const constant = (value: number, seed: number): Case[] =>
    makeBatch(seed, { groups: 1, members: 3, segments: 2 }).map((one) => ({
      ...one,
      parts: one.parts.map((part) => ({ ...part, values: part.values.map(() => value) })),
    }));

  it('are refused when there is none', () => {
    const cases = makeBatch(31, { groups: 1, members: 3 });
    const columns = cases.map((one) => advantages(one, recipe));
    for (const [critic, values] of [
      [{ kind: 'none' }, true],
      [{ kind: 'logged' }, false],
    ] as const) {
      const { input, logged } = log(cases, columns, { values });
      for (const result of verifyRollouts(input, logged, { critic })) {
        expect([result.status, result.diagnosis.code]).toEqual(['refused', 'refused']);
        expect(result.diagnosis.sentence).toMatch(/critic/);
        expect(result.critic).toMatch(/^none/);
      }
    }
  });

  it('are used and labelled: a constant', () => {
    const cases = constant(0.25, 32);
    const { input, logged } = log(
      cases,
      cases.map((one) => advantages(one, recipe)),
      { values: false, named: recipe },
    );
    for (const result of verifyRollouts(input, logged, { critic: { kind: 'constant', value: 0.25 } })) {
      expect([result.diagnosis.code, result.critic]).toEqual(['clean', 'stand-in: constant 0.25']);
    }
  });

  it("are used and labelled: the group's mean reward", () => {
    const mean = constant(0, 33).reduce((sum, { reward }) => sum + reward, 0) / 3;
    const cases = constant(mean, 33);
    const { input, logged } = log(
      cases,
      cases.map((one) => advantages(one, recipe)),
      { values: false, named: recipe },
    );
    for (const result of verifyRollouts(input, logged, { critic: { kind: 'group-mean' } })) {
      expect([result.diagnosis.code, result.critic]).toEqual(['clean', 'stand-in: mean reward of the group']);
    }
  });
});

it('does not take an action that was sampled again for a copy', () => {
  const cases = makeBatch(41, { groups: 1, members: 1, segments: 3, tail: 'trained' }).map((one) => {
    const first = one.parts[0];
    const ids = (first?.ids ?? []).slice(0, first?.mask.indexOf(0));
    // The third segment begins with the very action of the first, with log-probs of its own.
    return {
      ...one,
      parts: one.parts.map((part, s) =>
        s !== 2
          ? part
          : {
              ...part,
              mask: [...ids.map(() => 1), 0, ...part.mask],
              ids: [...ids, 0, ...part.ids],
              values: [...ids.map(() => 0.5), 0, ...part.values],
              logprobs: [...ids.map((_, t) => -0.5 - t / 100), 0, ...part.logprobs],
            },
      ),
    };
  });
  const recipe = { style: 'cross', gamma: 1, lambda: 0.99 } as const;
  const { input, logged } = log(
    cases,
    cases.map((one) => advantages(one, recipe)),
    { named: recipe, ids: true },
  );
  expect(verifyRollouts(input, logged)[0]?.diagnosis.code).toBe('clean');
});

it('does not take an action for a copy that comes after what the segment sampled itself', () => {
  const cases = makeBatch(42, { groups: 1, members: 1, segments: 3, tail: 'trained' }).map((one) => {
    const first = one.parts[0];
    const ids = (first?.ids ?? []).slice(0, first?.mask.indexOf(0));
    // Without log-probs only the place tells: the third segment ends with the action that the first began with.
    const more = (column: readonly number[], added: readonly number[]): number[] => [...column, 0, ...added];
    return {
      ...one,
      parts: one.parts.map((part, s) => ({
        ...part,
        logprobs: [],
        ...(s === 2
          ? {
              mask: more(
                part.mask,
                ids.map(() => 1),
              ),
              ids: more(part.ids, ids),
              values: more(
                part.values,
                ids.map(() => 0.5),
              ),
            }
          : {}),
      })),
    };
  });
  const recipe = { style: 'local', gamma: 1, lambda: 0.95 } as const;
  const { input, logged } = log(
    cases,
    cases.map((one) => advantages(one, recipe)),
    { named: recipe, ids: true },
  );
  expect(verifyRollouts(input, logged)[0]?.diagnosis.code).toBe('clean');
});

const corpus = sharedPath('corpus', 'rl-formats', 'slime');
if (corpus === null)
  console.log('SKIPPED slime corpus of tests/unit/advantage/verify.test.ts: the reference corpus is not here');

describe.skipIf(corpus === null)('the slime corpus', () => {
  it('follows slime-ppo: observations are transitions, γ 1, λ 0.95', async () => {
    const root = corpus ?? '';
    const [main, part] = await Promise.all([
      diskFile(join(root, 'rollout_data/0.pt')),
      diskFile(join(root, 'train_data/0.pt')),
    ]);
    if (main === undefined || part === undefined) throw new Error('no file');
    const { rollouts } = collect(await eventsOf(format, { main, parts: [part] }));
    const expected = JSON.parse(readFileSync(join(root, 'expected/advantages_0.json'), 'utf8')).slime_ppo.advantages;
    const input = {
      nanIsMissing: true,
      rollouts: rollouts.map(({ draft, segments }) => ({
        id: draft.externalId,
        groupId: draft.groupId ?? '',
        status: draft.status === 'truncated' ? ('truncated' as const) : ('terminated' as const),
        reward: draft.reward ?? null,
        segments: segments.map((segment) => ({
          kind: segment.draft.kind,
          lossMask: numbers(segment, 'loss_mask'),
          values: numbers(segment, 'values'),
        })),
      })),
    };
    const logged = rollouts.map(({ segments }) => ({
      segments: segments.map((segment) => ({ advantages: expected[Object(segment.draft.extra).position] })),
    }));
    const results = verifyRollouts(input, logged).filter(({ tokens }) => tokens > 0);
    expect(results.length).toBeGreaterThanOrEqual(3);
    for (const { id, fits, diagnosis } of results) {
      const walked = fits.find(({ presets }) => presets.includes('slime-ppo@624b824'));
      expect([id, walked?.agreeing]).toEqual([id, 1]);
      // Without an observation between two actions there is nothing to be told.
      const segments = rollouts.find(({ draft }) => draft.externalId === id)?.segments ?? [];
      const holes = segments.some((segment) => /10+1|10+$/.test(numbers(segment, 'loss_mask').join('')));
      expect([id, diagnosis.code]).toEqual([id, holes ? 'observations-as-transitions' : 'clean']);
      if (holes) expect(diagnosis.sentence).toContain('slime-ppo@624b824 (gae_all_tokens, γ 1, λ 0.95');
    }
  });
});

it('takes well under a second for a rollout of 20,000 tokens', () => {
  const cases = makeBatch(51, { groups: 1, members: 1, segments: 4, tail: 'masked', scale: 120 });
  const recipe = { style: 'cross', gamma: 1, lambda: 0.999 } as const;
  const columns = cases.map((one) =>
    advantages(one, { ...recipe, change: (part) => ({ values: part.values.map((_, t) => part.values[t + 1] ?? 0) }) }),
  );
  const { input, logged } = log(cases, columns, { named: recipe });
  const tokens = cases[0]?.parts.reduce((sum, part) => sum + part.mask.length, 0) ?? 0;
  expect(tokens).toBeGreaterThan(12_000);
  const started = process.cpuUsage();
  const [result] = verifyRollouts(input, logged);
  const { user } = process.cpuUsage(started);
  expect(result?.diagnosis.code).toBe('values-shifted');
  expect(user / 1000 / tokens).toBeLessThan(1500 / 20_000);
});

function both({ input, logged }: ReturnType<typeof log>): [typeof input, typeof logged] {
  return [input, logged];
}
