// What the tests of harness formats share: their fixtures, readings of them, and a short way to look at rows.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemDraft } from '../../../app/contract/ingest.ts';
import { type PlannedSource, planImport } from '../../../app/ingest/plan.ts';
import { readContext, readGroup } from '../../../app/ingest/read-group.ts';
import { assemble, collect, only, type ReadResult } from './support.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/ingest');

/** The path of a fixture. */
export function fixturePath(...parts: string[]): string {
  return join(fixtures, ...parts);
}

/** The text of a fixture. */
export function fixtureText(...parts: string[]): string {
  return readFileSync(fixturePath(...parts), 'utf8');
}

/** The sources that an import of a fixture plans; fails on a refused file. */
export async function planned(...parts: string[]): Promise<PlannedSource[]> {
  const plan = await planImport([fixturePath(...parts)]);
  return plan.map((entry) => {
    if (entry.kind === 'refused') throw new Error(`${entry.path}: ${entry.refusal.message}`);
    return entry;
  });
}

/** Plans and reads a fixture that is one source. */
export async function readFixture(...parts: string[]): Promise<ReadResult & { source: PlannedSource }> {
  const source = only(await planned(...parts));
  const context = readContext(source.group.main);
  return { ...assemble(await collect(readGroup(source.group, source.format, context))), source };
}

/** An item in short: its kind (`copied` for carried context) and its parts as `kind name: text`. */
export function short(item: ItemDraft): string[] {
  const head = item.copied === true ? `copied ${item.role}` : `${item.kind} ${item.role}`;
  const parts = item.parts.map(({ kind, name, text, isError }) => {
    const tool = name === null || name === undefined ? '' : ` ${name}`;
    return `${kind}${tool}${isError === true ? '!' : ''}: ${text.slice(0, 60)}`;
  });
  return [item.title === null || item.title === undefined ? head : `${head} (${item.title})`, ...parts];
}
