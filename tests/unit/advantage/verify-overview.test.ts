// A dump as a whole: the verdict in one sentence, diagnoses and settings by how much they explain.

import { describe, expect, it } from 'vitest';
import type { Fit, RolloutVerification } from '../../../app/contract/index.ts';
import { overviewOf } from '../../../app/domain/advantage/verify/overview.ts';
import { titles } from '../../../app/domain/advantage/verify/words.ts';

const setting = (label: string, agreeing: number, presets: string[] = [], max = 0): Fit => ({
  estimator: 'gae_local',
  params: {},
  presets,
  label,
  max,
  p99: max,
  agreeing,
});

function one(
  id: string,
  code: RolloutVerification['diagnosis']['code'],
  change: Partial<RolloutVerification> & { readonly confidence?: number } = {},
): RolloutVerification {
  const { confidence = 0.9, ...rest } = change;
  const status =
    code === 'clean' || code === 'refused' || code === 'not-logged' ? (code === 'clean' ? 'clean' : code) : 'found';
  return {
    id,
    status,
    compared: status === 'clean' || status === 'found' ? 'advantages' : null,
    tokens: 100,
    precision: 'fp32',
    tolerance: 2e-5,
    critic: 'logged values',
    fits: status === 'clean' || status === 'found' ? [setting('gae_local, γ 1', status === 'clean' ? 1 : 0.5)] : [],
    divergences: [],
    diagnosis: { code, title: titles[code], sentence: `${id} says ${code}.`, confidence, evidence: [] },
    alternatives: [],
    returns: null,
    ...rest,
  };
}

const sum = (rollouts: RolloutVerification[], expected: string | null = null) =>
  overviewOf(rollouts, new Map(), expected);

describe('the verdict', () => {
  it('is clean and names what all of it follows', () => {
    const clean = ['a', 'b'].map((id) => one(id, 'clean', { fits: [setting('gae_local, γ 1', 1, ['vc-ppo'])] }));
    expect(sum(clean)).toMatchObject({ verdict: 'clean', sentence: '2 of 2 rollouts match vc-ppo.', tokens: 200 });
    expect(sum(clean, 'verl-gae').sentence).toBe('2 of 2 rollouts match verl-gae.');
    expect(sum(clean.slice(0, 1)).sentence).toBe('1 of 1 rollout matches vc-ppo.');
  });

  it('names no setting where none gives all of it', () => {
    const found = sum([one('a', 'clean', { fits: [setting('x', 1)] }), one('b', 'clean', { fits: [setting('y', 1)] })]);
    expect(found.sentence).toBe('2 of 2 rollouts match a published estimator.');
  });

  it('says how many differ and the most frequent reason', () => {
    const found = sum([
      one('a', 'clean'),
      one('b', 'values-shifted'),
      one('c', 'values-shifted'),
      one('d', 'mask-shifted'),
      one('e', 'not-logged'),
      one('f', 'refused'),
    ]);
    expect(found).toMatchObject({ verdict: 'differs', clean: 1, found: 3, refused: 1, notLogged: 1, tokens: 400 });
    expect(found.sentence).toBe(
      '3 of 4 rollouts differ, most often (2) values shifted by one. 1 rollout could not be compared. 1 rollout without logged advantages.',
    );
    expect(sum([one('a', 'mask-inverted')]).sentence).toBe('1 of 1 rollout differs: mask inverted.');
  });

  it('does not call clean what could not be compared or was not logged', () => {
    expect(sum([one('a', 'clean'), one('b', 'refused')])).toMatchObject({
      verdict: 'partly',
      sentence: '1 of 1 rollout matches gae_local, γ 1. 1 rollout could not be compared.',
    });
    expect(sum([one('a', 'refused'), one('b', 'not-logged')])).toMatchObject({
      verdict: 'refused',
      sentence: 'None of 1 rollout could be compared. 1 rollout without logged advantages.',
    });
    expect(sum([one('a', 'not-logged')])).toMatchObject({ verdict: 'silent', excluded: [] });
    expect(sum([])).toMatchObject({ verdict: 'silent', sentence: 'No rollouts.' });
  });
});

describe('diagnoses', () => {
  it('come with findings first, the sentence of the surest, and what else they would explain', () => {
    const { diagnoses, excluded } = sum([
      ...['a', 'b', 'c', 'd'].map((id) => one(id, 'clean')),
      one('e', 'mask-shifted', { confidence: 0.5 }),
      one('f', 'values-shifted', { confidence: 0.6 }),
      one('g', 'values-shifted', {
        confidence: 1,
        alternatives: [{ code: 'mask-shifted', title: 'mask shifted by one', confidence: 0.4 }],
      }),
      one('h', 'not-logged'),
    ]);
    expect(diagnoses.map(({ code, rollouts }) => [code, rollouts])).toEqual([
      ['values-shifted', 2],
      ['mask-shifted', 1],
      ['not-logged', 1],
      ['clean', 4],
    ]);
    expect(diagnoses[0]).toMatchObject({ sentence: 'g says values-shifted.', alternative: 0 });
    expect(diagnoses[0]?.confidence).toBeCloseTo(0.8);
    expect(diagnoses[1]).toMatchObject({ alternative: 1 });
    const codes = excluded.map(({ code }) => code);
    expect(codes).toContain('mask-inverted');
    for (const code of ['values-shifted', 'mask-shifted', 'clean', 'unexplained', 'refused', 'not-logged']) {
      expect(codes).not.toContain(code);
    }
  });
});

describe('settings', () => {
  it('are ranked by the rollouts they reproduce, the expected and the named before their equals', () => {
    const both = [setting('plain', 1), setting('named', 1, ['vc-ppo']), setting('meant', 1, ['verl-gae'])];
    const found = sum(
      [
        one('a', 'clean', { fits: both }),
        one('b', 'values-shifted', {
          tokens: 300,
          fits: [setting('near', 0.9, [], 4), setting('named', 0.5, ['vc-ppo'], 7)],
        }),
      ],
      'verl-gae',
    );
    expect(found.fits.map(({ label }) => label)).toEqual(['meant', 'named', 'plain', 'near']);
    expect(found.fits[1]).toEqual({
      label: 'named',
      presets: ['vc-ppo'],
      reproduces: 1,
      near: 2,
      agreeing: (100 + 150) / 400,
      worst: 7,
    });
  });

  it('that read the same in one rollout count once, by the nearest', () => {
    const { fits } = sum([one('a', 'unexplained', { fits: [setting('x', 0.9), setting('x', 0.2)] })]);
    expect(fits).toMatchObject([{ label: 'x', near: 1, agreeing: 0.9 }]);
  });
});

describe('rows', () => {
  it('carry the names that the workspace has, the best fit, and the last place in time', () => {
    const place = { kind: 'execution', logged: 1, recomputed: 2, differing: 1, compared: 9 };
    const found = overviewOf(
      [
        one('a', 'mask-shifted', {
          divergences: [
            { ...place, segment: 0, token: 3 },
            { ...place, segment: 2, token: 8 },
          ],
        }),
        one('gone', 'clean'),
      ],
      new Map([['a', { externalId: 'tally-1', group: 'g', trainingStep: 7 }]]),
      null,
    );
    expect(found.rows[0]).toMatchObject({
      id: 'a',
      externalId: 'tally-1',
      group: 'g',
      trainingStep: 7,
      code: 'mask-shifted',
      place: { segment: 2, token: 8 },
      fit: { label: 'gae_local, γ 1', agreeing: 0.5 },
    });
    expect(found.rows[1]).toMatchObject({ id: 'gone', externalId: null, place: null });
  });
});
