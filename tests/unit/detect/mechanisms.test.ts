// The parts of mechanisms that read foreign text: summaries of test runners, and programs that load data.

import { describe, expect, it } from 'vitest';
import { readProgram } from '../../../app/domain/detect/mechanisms/evaluation-data.ts';
import { countsIn } from '../../../app/domain/detect/mechanisms/test-counts.ts';
import { scanRollout } from '../../../app/domain/detect/scan.ts';
import { readSyntax } from '../../../app/domain/detect/shell-syntax.ts';
import { call, compiled, rollout, seen } from './builders.ts';

describe('countsIn', () => {
  it.each([
    ['== 1 failed, 8 passed, 2 skipped in 0.1s ==', 8, 1, 2],
    ['Tests  2 failed | 40 passed (42)', 40, 2, 0],
    ['test result: FAILED. 13 passed; 1 failed; 3 ignored; 0 measured', 13, 1, 3],
    ['Tests run: 48, Failures: 2, Errors: 1, Skipped: 4', 41, 3, 4],
    ['12 examples, 1 failure, 2 pending', 9, 1, 2],
    ['90% tests passed, 1 tests failed out of 10', 9, 1, 0],
    ['Tests: 22, Assertions: 60, Failures: 2.', 20, 2, 0],
    ['OK (15 tests, 41 assertions)', 15, 0, 0],
    ['Executed 9 tests, with 0 failures (0 unexpected)', 9, 0, 0],
  ])('%s', (text, passed, failed, skipped) => {
    expect(countsIn(text)).toMatchObject({ passed, failed, skipped });
  });

  it('is null where nothing is counted', () => {
    expect(countsIn('all good')).toBeNull();
  });
});

describe('readProgram', () => {
  it('follows a test split through names into training', () => {
    const found = readProgram('te = load("data/test.csv")\nboth = pd.concat([train, te])\nmodel.fit(both)');
    expect(found?.load.text).toContain('test.csv');
    expect(found?.sink?.text).toContain('both');
  });

  it('takes measuring for no training', () => {
    const found = readProgram('te = pd.read_csv("test.csv")\nm.fit(train)\nprint(m.score(te))');
    expect(found?.sink).toBeNull();
  });

  it('is null for a program without evaluation data', () => {
    expect(readProgram('m.fit(pd.read_csv("train.csv"))')).toBeNull();
  });
});

describe('loops', () => {
  it('are read with what they run over', () => {
    const rules = compiled([{ verb: 'read', pathClass: 'secret' }]);
    const scanned = rollout(call('bash', { command: 'for f in /secret/a /secret/b; do cat "$f"; done' }), seen('x'));
    expect(scanRollout(rules, scanned).length).toBeGreaterThan(0);
  });
});

describe('readSyntax', () => {
  it('puts the words of a loop in the place of its variable', () => {
    expect(readSyntax('for f in a b; do cat "$f" x/$f.txt; done')?.edits.map(({ text }) => text)).toEqual(['a b', 'a']);
  });

  it('says where a text is no bash, and leaves simple commands alone', () => {
    expect(readSyntax('for f in a; do (')?.error).not.toBeNull();
    expect(readSyntax('cat a | grep b')).toBeNull();
  });
});
