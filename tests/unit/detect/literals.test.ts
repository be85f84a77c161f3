import { describe, expect, it } from 'vitest';
import { requiredLiterals } from '../../../app/domain/detect/literals.ts';
import { parsePack } from '../../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../../app/engine/rules/starter-pack.ts';

describe('requiredLiterals', () => {
  it.each([
    ['docker\\.sock', ['docker.sock']],
    ['foo|barbar', ['foo', 'barbar']],
    ['\\bgit\\b.*(?:show|diff)', ['show', 'diff']],
    ['Foo(?:bar)?', ['foo']],
    ['(?:abc)+x', ['abc']],
    ['abcd*e', ['abc']],
    ['abcd{0,2}e', ['abc']],
    ['abcd+e', ['abcd']],
    ['(?<name>token)=', ['token']],
    ['(?!never)some', ['some']],
    ['[abc]def[g|h]', ['def']],
    ['\\p{L}word\\u0041', ['word']],
    ['a|barbar', null],
    ['\\w+', null],
    ['(?:abc)?', null],
    ['', null],
  ])('%s', (source, expected) => {
    expect(requiredLiterals(source)).toEqual(expected);
  });

  it('never excludes a text that a rule of the starter pack matches', () => {
    const parsed = parsePack(starterPack);
    if (!parsed.ok) throw new Error('the starter pack does not parse');
    let checked = 0;
    for (const { matcher, rule } of parsed.value.compiled.rules) {
      for (const pattern of matcher.any ?? []) {
        for (const text of rule.examples.match) {
          pattern.regex.lastIndex = 0;
          if (pattern.literals === null || !pattern.regex.test(text)) continue;
          checked++;
          expect(pattern.literals.some((literal) => text.toLowerCase().includes(literal))).toBe(true);
        }
      }
    }
    expect(checked).toBeGreaterThan(20);
  });
});
