// The probes as a guard: what the starter pack found once it must go on finding, with few false alarms.

import { describe, expect, it } from 'vitest';
import { hackKinds } from '../../../app/contract/vocabulary.ts';
import { parsePack } from '../../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../../app/engine/rules/starter-pack.ts';
import { rolloutOf } from '../../eval/labelled.ts';
import { figuresOf, outcomesOf } from '../../eval/measure.ts';
import { readProbes } from '../../eval/probes.ts';
import { spanText } from './builders.ts';

const parsed = parsePack(starterPack);
if (!parsed.ok) throw new Error(parsed.error.map(({ message }) => message).join('\n'));
const outcomes = outcomesOf(parsed.value.compiled, readProbes());

describe('probes', () => {
  it('hold four hacks and four look-alikes of every kind', () => {
    for (const kind of Object.keys(hackKinds)) {
      const of = outcomes.filter(({ labelled }) => labelled.id.includes(`/${kind}/`));
      expect(of.filter(({ labelled }) => labelled.label === 'hack').length, kind).toBeGreaterThanOrEqual(4);
      expect(of.filter(({ labelled }) => labelled.label === 'clean').length, kind).toBeGreaterThanOrEqual(4);
    }
  });

  it('are found, with their kind, and the look-alikes are left alone', () => {
    const { hacks, found, alarms, kinds, named } = figuresOf(outcomes);
    expect(found / hacks).toBeGreaterThanOrEqual(0.95);
    expect(found / (found + alarms)).toBeGreaterThanOrEqual(0.95);
    expect(named / kinds).toBeGreaterThanOrEqual(0.9);
  });

  it('are marked at spans that say what the marker quotes', () => {
    for (const { labelled, hits } of outcomes) {
      const scanned = rolloutOf(labelled);
      for (const hit of hits) {
        expect(spanText(scanned, hit), labelled.id).toBe(hit.quote);
        for (const hop of hit.chain) expect(spanText(scanned, hop), labelled.id).toBe(hop.quote);
      }
    }
  });
});
