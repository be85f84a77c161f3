// What the build works out beforehand is what a checkout works out when it is asked.

import { describe, expect, it } from 'vitest';
import { guards } from '../../../app/domain/detect/guards.ts';
import { askedNeeds, needOf } from '../../../app/domain/detect/literals.ts';
import { parsePack } from '../../../app/engine/rules/parse-pack.ts';
import { preparedModules } from '../../../app/engine/rules/prepared.ts';
import { starterPack } from '../../../app/engine/rules/starter-pack.ts';

/** What the one function of a prepared module gives. */
async function givenBy(path: string): Promise<unknown> {
  const text = preparedModules().get(path);
  if (text === undefined) throw new Error(`nothing is prepared for ${path}`);
  const made: Record<string, unknown> = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const [give] = Object.values(made);
  return typeof give === 'function' ? give() : undefined;
}

describe('prepared modules', () => {
  it('hold the starter pack', async () => {
    const parsed = parsePack(starterPack);
    expect(await givenBy('/app/engine/rules/prepared-starter.ts')).toEqual(parsed.ok ? parsed.value.pack : null);
  });

  it('hold the needs of the built-in expressions', async () => {
    const before = askedNeeds().size;
    const given = await givenBy('/app/domain/detect/known-needs.ts');
    // Boundary: entries of source and need, as the build writes them.
    const needs = new Map(given as [string, unknown][]);
    expect(needs.size).toBeGreaterThanOrEqual(before);
    for (const [source, need] of askedNeeds()) expect(needs.get(source)).toEqual(need);
    guards.search('a text');
    expect(askedNeeds().size).toBe(needs.size);
  });

  it('hold the need of every pattern of the pack', async () => {
    const given = await givenBy('/app/domain/detect/known-needs.ts');
    // Boundary: entries of source and need, as the build writes them.
    const needs = new Map(given as [string, unknown][]);
    const parsed = parsePack(starterPack);
    const patterns = (parsed.ok ? parsed.value.pack.rules : []).flatMap(({ any = [], also = [] }) => [...any, ...also]);
    expect(patterns.length).toBeGreaterThan(100);
    for (const { pattern } of patterns) expect(needs.get(pattern)).toEqual(needOf(pattern));
  });
});
