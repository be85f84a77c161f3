// A known field of a quite wrong type is never lost in silence: for every format, every field of its small files is
// replaced once by each other type. What stands there now is imported as it is, or there is an alert, or a refusal.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IngestEvent } from '../../../app/contract/ingest.ts';
import { type PlannedSource, planImport } from '../../../app/ingest/plan.ts';
import { readContext, readGroup } from '../../../app/ingest/read-group.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { sharedPath } from '../../shared-material.ts';
import { fixturePath } from './harness-support.ts';
import { collect, jsonl, memoryFile } from './support.ts';

const largest = 24_000;
const recordsLooked = 30;
const roots = [fixturePath(), sharedPath('corpus', 'rl-formats')].filter((path) => path !== null);

/** What a field becomes; each value can be found again in what was read. */
const wrong = { text: 'odd-0ne', list: ['odd-0ne'], object: { odd: 'odd-0ne' }, number: 98_765_432 } as const;
type Kind = keyof typeof wrong;

/** Ids and times are written as numbers and as texts. */
const eitherWay = /(?:^|[ ._])(?:id|uuid|timestamp|ts|[a-z]+_at|(?:start|end)_time|lastUpdated)$/u;

/** Fields whose content is only compared, or stands in the log a second time. */
const compared: readonly RegExp[] = [
  // The prompt that SWE-agent repeats at every step is compared with the history; a mark tells that it differs.
  /^swe-agent trajectory\[\]\.query/u,
  // The messages of the calls repeat the completion of the row, which is shown.
  /^verifiers-legacy (?:completion|trajectory\[\]\.completion(?:\[\])?)$/u,
];

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name.startsWith('_') || name === 'toy-tokenizer' ? [] : filesUnder(path);
    return /\.(?:jsonl?|traj)$/u.test(name) && name !== 'manifest.json' && statSync(path).size <= largest ? [path] : [];
  });
}

function recordsOf(text: string): unknown[] | null {
  const parse = (json: string): unknown[] | null => {
    try {
      return [JSON.parse(json)];
    } catch {
      return null;
    }
  };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = parse(text) ?? lines.flatMap((line) => parse(line) ?? [undefined]);
  return read.includes(undefined) ? null : read;
}

const written = (records: readonly unknown[]): string =>
  records.length === 1 ? JSON.stringify(records[0]) : jsonl(...records);

function kindOf(value: unknown): Kind | 'flag' {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'flag';
}

interface Field {
  readonly record: number;
  readonly at: readonly string[];
  readonly path: string;
  readonly kind: Kind | 'flag';
}

/** One place of every field, by its path without positions and by its type. */
function fieldsOf(records: readonly unknown[]): Field[] {
  const found = new Map<string, Field>();
  const visit = (record: number, value: unknown, at: readonly string[], path: string): void => {
    if (value === null) return;
    const kind = kindOf(value);
    const key = `${path} ${kind}`;
    if (at.length > 0 && !found.has(key)) found.set(key, { record, at, path, kind });
    if (typeof value !== 'object' || at.length > 9) return;
    const list = Array.isArray(value);
    for (const [name, child] of Object.entries(value)) {
      visit(record, child, [...at, name], list ? `${path}[]` : path === '' ? name : `${path}.${name}`);
    }
  };
  for (const [i, record] of records.slice(0, recordsLooked).entries()) visit(i, record, [], '');
  return [...found.values()];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  if (Array.isArray(value)) return value.map((child, i) => (String(i) === key ? replaced(child, rest, by) : child));
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, name === key ? replaced(child, rest, by) : child]),
  );
}

/** The events of a reading; null for a refusal. */
async function reading({ format, group }: PlannedSource, text: string): Promise<readonly IngestEvent[] | null> {
  const main = memoryFile(group.main.path, text, 65_536);
  try {
    return await collect(readGroup({ main, parts: group.parts }, format, readContext(main)));
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'reader-failed') return null;
    throw error;
  }
}

/** What was imported, without the alerts, as text. */
function imported(events: readonly IngestEvent[]): string {
  const kept = events.filter(({ type }) => type !== 'alert' && type !== 'position' && type !== 'checkpoint');
  return JSON.stringify(kept, (key, value: unknown) => {
    if (key === 'place') return undefined;
    return ArrayBuffer.isView(value) ? JSON.stringify(value) : value;
  });
}

function alertsOf(events: readonly IngestEvent[]): Set<string> {
  return new Set(
    events.flatMap((event) =>
      event.type === 'alert' ? `${event.alert.kind} ${event.alert.message} ${event.alert.raw ?? ''}` : [],
    ),
  );
}

describe.each(roots.flatMap(filesUnder).map((path) => [path.slice(-64), path]))('%s', (_, path) => {
  it('loses no field of a wrong type in silence', async () => {
    const [source] = await planImport([path]);
    const records = recordsOf(readFileSync(path, 'utf8'));
    if (source === undefined || source.kind === 'refused' || records === null) return;
    const read = (field: Field, by: unknown) =>
      reading(
        source,
        written(records.map((record, i) => (i === field.record ? replaced(record, field.at, by) : record))),
      );
    const whole = await reading(source, written(records));
    if (whole === null) return;
    const known = alertsOf(whole);
    const silent: string[] = [];
    for (const field of fieldsOf(records)) {
      const without = await read(field, null);
      // A field that makes no difference is not one that the format imports.
      if (without !== null && imported(without) === imported(whole)) continue;
      for (const [kind, value] of Object.entries(wrong)) {
        if (kind === field.kind) continue;
        const name = `${source.format.id} ${field.path}`;
        if (compared.some((pattern) => pattern.test(name)) || (kind === 'number' && eitherWay.test(name))) continue;
        const damaged = await read(field, value);
        if (damaged === null) continue;
        const told = [...alertsOf(damaged)].some((alert) => !known.has(alert));
        const text = imported(damaged);
        if (!told && !text.includes('odd-0ne') && !text.includes(String(wrong.number)))
          silent.push(`${name} as ${kind}`);
      }
    }
    expect(silent).toEqual([]);
  }, 120_000);
});

it('covers the formats of the repository', () => {
  expect(filesUnder(fixturePath()).length).toBeGreaterThan(15);
});
