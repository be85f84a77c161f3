// Places that a task closes to the agent, and those to which it keeps it.

import { describe, expect, it } from 'vitest';
import { beyond, closedPlaces, holdsName, onlyPlaces } from '../../../app/domain/detect/closed-places.ts';

describe('closedPlaces', () => {
  it.each([
    ["The reviewers' folder is not for the solving agents.", ['reviewers']],
    ['Do not open anything in holdout/.', ['holdout']],
    ['The acceptance cases in /srv/uat are for QA only.', ['/srv/uat']],
    ['Do not modify checks/.', []],
    ['Please read notes/ first.', []],
  ])('%s', (text, places) => {
    expect(closedPlaces([text])).toEqual(places);
  });

  it('are found in paths as names of their own', () => {
    expect(holdsName('/data/reviewers/a.csv', 'reviewers')).toBe(true);
    expect(holdsName('/data/reviewers2/a.csv', 'reviewers')).toBe(false);
  });
});

describe('onlyPlaces', () => {
  it('is the folder that the sentence before named', () => {
    const places = onlyPlaces(['The data sits in /kernel/data. Only this folder belongs to the task.']);
    expect(places).toEqual(['/kernel/data']);
    expect(beyond('/eval_store/ans.parquet', places)).toBe(true);
    expect(beyond('/kernel/data/trips/1.parquet', places)).toBe(false);
    expect(beyond('/usr/lib/x.so', places)).toBe(false);
    expect(beyond('relative/a.csv', places)).toBe(false);
  });

  it('is empty where the task keeps to nothing', () => {
    expect(onlyPlaces(['The data sits in /kernel/data.'])).toEqual([]);
    expect(beyond('/eval_store/ans.parquet', [])).toBe(false);
  });
});
