// A check of a pack never hangs: a pattern that blows up on an example is named, and so are all others.

import { expect, it } from 'vitest';
import { checkPack } from '../../../app/engine/scan/check-pack.ts';

it('names the rules whose patterns blow up on their examples', { timeout: 60_000 }, async () => {
  const rule = (id: string, pattern: string): string =>
    `  - {id: ${id}, title: T, kind: read-answer-key, family: A, target: action, any: [{pattern: '${pattern}'}], severity: high, score: 0.6, why: w, examples: {match: [], clean: ['${'a'.repeat(40)}!']}}`;
  const yaml = ['id: p', 'version: "1"', 'title: P', 'rules:', rule('GOOD', 'key'), rule('BAD', '^(a+)+$'), ''].join(
    '\n',
  );
  const { pack, problems, failures } = await checkPack(yaml);
  expect(pack?.rules).toHaveLength(2);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Rule BAD: a pattern takes too long/),
  ]);
  expect(failures).toEqual([]);
});
