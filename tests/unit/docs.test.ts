// What the documents show must work: the example of the rules guide is a valid pack whose examples hold, and links lead somewhere.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePack, runExamples } from '../../app/engine/rules/parse-pack.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = [join(root, 'README.md'), join(root, 'samples/README.md')].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name)),
);

describe('docs', () => {
  it('show a rule pack that is valid and does what its examples say', () => {
    const yaml = /```yaml\n([\s\S]*?)```/u.exec(readFileSync(join(root, 'docs/hacks.md'), 'utf8'))?.[1] ?? '';
    const parsed = parsePack(yaml);
    if (!parsed.ok) throw new Error(parsed.error.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
    expect(parsed.value.pack.rules).toHaveLength(1);
    expect(runExamples(parsed.value.compiled)).toEqual([]);
  });

  it.each(pages)('%s has no link that leads nowhere', (page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/gu)].flatMap(
      (match) => match[1] ?? [],
    );
    const dead = links.filter((link) => !/^[a-z]+:/u.test(link) && !existsSync(join(dirname(page), link)));
    expect(dead).toEqual([]);
  });
});
