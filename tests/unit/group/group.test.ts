// Siblings: what counts as the same action, where sequences part, what each convention makes of the rewards.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActionPart, actionKey } from '../../../app/domain/group/action-key.ts';
import { conventionsOf, hasNoVariance } from '../../../app/domain/group/conventions.ts';
import { commonPrefix, commonToAll, prefixNumbers, sameToTheEnd } from '../../../app/domain/group/divergence.ts';
import { lineDiff } from '../../../app/domain/text/line-diff.ts';

const call = (text: string, name = 'bash'): ActionPart => ({ kind: 'tool_call', name, text });
const say = (text: string): ActionPart => ({ kind: 'text', name: null, text });

describe('the key of an action', () => {
  it('is the calls, whatever is said beside them, however they are spaced', () => {
    expect(actionKey([say('Let me look.'), call('{"command":"ls  src","timeout":5}')])).toBe(
      actionKey([call('{"timeout": 5, "command": "ls src "}')]),
    );
    expect(actionKey([call('{"command":"ls"}')])).not.toBe(actionKey([call('{"command":"ls"}', 'shell')]));
    expect(actionKey([call('{"command":"ls"}')])).not.toBe(actionKey([call('{"command":"ls"}'), call('{}')]));
    expect(actionKey([call('["a","b"]')])).not.toBe(actionKey([call('["b","a"]')]));
  });

  it('is the text where nothing is called; line breaks count', () => {
    expect(actionKey([say('Done.  Bye ')])).toBe(actionKey([say(' Done. Bye')]));
    expect(actionKey([say('a\r\nb')])).toBe(actionKey([say('a\nb')]));
    expect(actionKey([say('a b')])).not.toBe(actionKey([say('a\nb')]));
    expect(actionKey([])).toBe(actionKey([say('  ')]));
  });

  it('reads what is not JSON as text, and hostile JSON without harm', () => {
    expect(actionKey([call('ls   src')])).toBe(actionKey([call('ls src')]));
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    expect(() => actionKey([call(deep)])).not.toThrow();
    expect(actionKey([call('{"__proto__":1}')])).not.toBe(actionKey([call('{}')]));
  });
});

describe('where sequences part', () => {
  it('is counted from the start', () => {
    expect(commonPrefix([1, 2, 3], [1, 2, 4, 5])).toBe(2);
    expect(
      commonToAll([
        [1, 2, 3],
        [1, 2],
        [1, 5],
      ]),
    ).toBe(1);
    expect([commonToAll([]), commonToAll([[7, 8]])]).toEqual([0, 2]);
    expect([sameToTheEnd([1, 2], [1, 2]), sameToTheEnd([1], [1, 2])]).toEqual([true, false]);
  });

  it('has equal numbers exactly where the keys are the same up to there', () => {
    const keys = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(keys, (sequences) => {
        const numbers = prefixNumbers(
          sequences.map(({ length }) => length),
          (sequence, step) => sequences[sequence]?.[step] ?? '',
        );
        for (const [i, a] of sequences.entries()) {
          expect(numbers[i]).toHaveLength(a.length);
          for (const [j, b] of sequences.entries()) {
            for (let step = 0; step < Math.min(a.length, b.length); step += 1) {
              const same = a.slice(0, step + 1).join() === b.slice(0, step + 1).join();
              expect(numbers[i]?.[step] === numbers[j]?.[step]).toBe(same);
            }
          }
        }
      }),
    );
  });

  it('makes no key of a step that nobody can share', () => {
    const asked: string[] = [];
    prefixNumbers([3, 3], (sequence, step) => {
      asked.push(`${sequence}/${step}`);
      return step === 0 ? 'same' : `own ${sequence}`;
    });
    expect(asked).toEqual(['0/0', '1/0', '0/1', '1/1']);
  });
});

describe('conventions', () => {
  const scored = [
    { id: 'a', reward: 1, length: 10 },
    { id: 'b', reward: 0, length: 30 },
    { id: 'c', reward: 1, length: 10 },
    { id: 'd', reward: 0.5, length: 50 },
  ];
  const of = (id: string, group = scored) => {
    const found = conventionsOf('g', group).find((one) => one.id === id);
    if (found === undefined) throw new Error(`no convention ${id}`);
    return found;
  };

  it('are worked out by hand', () => {
    expect(of('mean').baselines.get('a')).toBe(0.625);
    expect(of('leave-one-out').baselines.get('a')).toBeCloseTo(0.5, 12);
    expect(of('leave-one-out').advantages.get('b')).toBeCloseTo(-2.5 / 3, 12);
    // Σ l r = 10 + 0 + 10 + 25 over 100 tokens.
    expect(of('length-weighted').baselines.get('d')).toBeCloseTo(0.45, 12);
    // Deviations .375, −.625, .375, −.125: squares sum to .6875.
    expect(of('grpo').advantages.get('a')).toBeCloseTo(0.375 / (Math.sqrt(0.6875 / 3) + 1e-6), 12);
    expect(of('grpo-population').advantages.get('a')).toBeCloseTo(0.375 / (Math.sqrt(0.6875 / 4) + 1e-6), 12);
    expect(of('best-of').advantages.get('a')).toBe(0);
  });

  it('say where they are undefined: one rollout, none, no lengths', () => {
    const one = scored.slice(0, 1);
    expect(of('best-of', one).refusal).toContain('needs two');
    expect(of('grpo', one).advantages.get('a')).toBe(0);
    expect(of('mean', []).refusal).toContain('No rollout');
    expect(
      of(
        'length-weighted',
        scored.map((each) => ({ ...each, length: 0 })),
      ).refusal,
    ).toContain('trainable token');
  });

  it('know a group without signal', () => {
    expect([hasNoVariance([1, 1]), hasNoVariance([1]), hasNoVariance([1, 0]), hasNoVariance([])]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('lines side by side', () => {
  it('keep what is common and pair what is not', () => {
    expect(lineDiff('a\nb\nc', 'a\nx\ny\nc').map(({ kind, left, right }) => [kind, left, right])).toEqual([
      ['same', 'a', 'a'],
      ['changed', 'b', 'x'],
      ['right', null, 'y'],
      ['same', 'c', 'c'],
    ]);
    expect(lineDiff('', '')).toEqual([]);
    expect(lineDiff('', 'a')).toEqual([{ kind: 'right', left: null, right: 'a' }]);
  });

  it('give both texts back, and as many common lines as there can be', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = lineDiff(a.join('\n'), b.join('\n'));
        expect(lines.flatMap(({ left }) => left ?? [])).toEqual(a);
        expect(lines.flatMap(({ right }) => right ?? [])).toEqual(b);
        expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(longestCommon(a, b));
      }),
    );
  });

  it('end on texts too long for the table', () => {
    const long = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join('\n');
    expect(lineDiff(long('a'), long('b'))).toHaveLength(3000);
  });
});

/** By definition, slowly. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const table = a.map(() => new Array<number>(b.length).fill(0));
  let most = 0;
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) {
      const up = table[i - 1]?.[j] ?? 0;
      const back = table[i]?.[j - 1] ?? 0;
      const value = x === y ? (table[i - 1]?.[j - 1] ?? 0) + 1 : Math.max(up, back);
      const line = table[i];
      if (line !== undefined) line[j] = value;
      most = Math.max(most, value);
    }
  }
  return most;
}
