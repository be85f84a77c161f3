// Every format on damaged copies of its own files: fields dropped, renamed, set to null or to another type, files cut. A
// reader refuses or reads; it throws nothing else, and a rollout that is no longer there has an alert in its place.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { planImport } from '../../../app/ingest/plan.ts';
import { readContext } from '../../../app/ingest/read-group.ts';
import type { Format, SourceFile } from '../../../app/ingest/source.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { sharedPath } from '../../shared-material.ts';
import { fixturePath } from './harness-support.ts';
import { assemble, collect, memoryFile, type ReadResult } from './support.ts';

const largest = 150_000;
const corpus = ['agent-formats', 'rl-formats'].map((name) => sharedPath('corpus', name));
const roots = [fixturePath(), ...corpus].filter((path) => path !== null);

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name.startsWith('_') ? [] : filesUnder(path);
    const json = /\.(?:jsonl?|traj)$/u.test(name) && !name.startsWith('manifest') && !path.includes('toy-tokenizer');
    return json && statSync(path).size <= largest ? [path] : [];
  });
}

/** The records of a file: its lines, or the one document; null where a line is no JSON. */
function recordsOf(text: string): unknown[] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    try {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
    } catch {
      return null;
    }
  }
}

const written = (records: readonly unknown[]): string =>
  records.length === 1 ? JSON.stringify(records[0]) : records.map((record) => `${JSON.stringify(record)}\n`).join('');

type Path = readonly string[];

function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inner = Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

const damages = ['drop', 'rename', 'null', 'text', 'list', 'object', 'number', 'empty'] as const;
type Damage = (typeof damages)[number];

function damaged(value: unknown, path: Path, how: Damage): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return other(value, how);
  if (Array.isArray(value)) {
    return value.flatMap((child, i) => {
      if (String(i) !== key) return [child];
      return rest.length === 0 && how === 'drop' ? [] : [damaged(child, rest, how)];
    });
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => {
      if (name !== key) return [[name, child]];
      if (rest.length > 0) return [[name, damaged(child, rest, how)]];
      if (how === 'drop') return [];
      return [[how === 'rename' ? `${name}_other` : name, how === 'rename' ? child : other(child, how)]];
    }),
  );
}

function other(value: unknown, how: Damage): unknown {
  if (how === 'text') return typeof value === 'string' ? `${value}…` : JSON.stringify(value);
  if (how === 'list') return [value];
  if (how === 'object') return { value };
  if (how === 'number') return typeof value === 'number' ? String(value) : 17;
  if (how === 'empty') return typeof value === 'string' ? '' : Array.isArray(value) ? [] : {};
  return null;
}

async function tolerantRead(
  format: Format,
  path: string,
  text: string,
  parts: readonly SourceFile[],
): Promise<ReadResult | null> {
  const main = memoryFile(path, text, 65_536);
  try {
    return assemble(await collect(format.read({ main, parts }, readContext(main))));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const seen = { files: 0, formats: new Set<string>(), readings: 0, refused: 0 };
afterAll(() => {
  const absent = corpus.includes(null) ? '; the reference corpus is absent' : '';
  console.log(
    `damaged copies: ${seen.readings} readings of ${seen.files} files in ${seen.formats.size} formats, ${seen.refused} refused${absent}`,
  );
});

const files = roots.flatMap(filesUnder);
const runs = 12;

describe.each(files.map((path) => [path.slice(-60), path] as const))('%s', (_name, path) => {
  const text = readFileSync(path, 'utf8');

  it('is read or refused however it is damaged', async () => {
    const [source] = await planImport([path]);
    const records = recordsOf(text);
    if (source === undefined || source.kind === 'refused' || records === null) return;
    const { format, group } = source;
    const whole = await tolerantRead(format, path, text, group.parts);
    if (whole === null) return;
    seen.files++;
    seen.formats.add(format.id);
    const places = records.flatMap((record, i) => placesOf(record).map((at) => [i, at] as const));
    // Places near the top of a record are few and matter most: the depth is chosen before the place.
    const change = fc
      .tuple(fc.integer({ min: 1, max: 7 }), fc.nat(), fc.constantFrom(...damages))
      .map(([depth, pick, how]) => {
        const near = places.filter(([, at]) => at.length <= depth);
        return { place: near[pick % Math.max(1, near.length)], how };
      });
    await fc.assert(
      fc.asyncProperty(change, fc.double({ min: 0, max: 1, noNaN: true }), async ({ place, how }, share) => {
        if (place === undefined) return;
        const [index, at] = place;
        const changed = records.map((record, i) => (i === index ? damaged(record, at, how) : record));
        const result = await tolerantRead(format, path, written(changed), group.parts);
        seen.readings += 2;
        if (result === null) seen.refused++;
        else if (result.rollouts.length < whole.rollouts.length) {
          // What a list lost by itself is gone from the file, not from the import.
          if (how !== 'drop' && how !== 'empty')
            expect(result.alerts.length, `${how} ${at.join('.')}`).toBeGreaterThan(0);
        }
        const cut = text.slice(0, Math.floor(share * text.length));
        const rest = await tolerantRead(format, path, cut, group.parts);
        if (rest === null) seen.refused++;
        else if (rest.rollouts.length < whole.rollouts.length && cut.trim() !== '') {
          const complete = cut.split('\n').filter((line) => recordsOf(line) !== null && line.trim() !== '').length;
          if (complete < records.length && !cut.endsWith('\n')) expect(rest.alerts.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: runs, seed: 20_260_301 },
    );
  }, 60_000);
});

it('covers the formats of the repository', () => {
  expect(files.length).toBeGreaterThan(15);
});
