// Files that grow, are rewritten, rotated, copied anew or cut: what the second import does, and what it leaves alone.

import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importReport } from '../../../app/contract/imports.ts';
import type { Engine } from '../../../app/engine/engine.ts';
import { openReader } from '../../../db/open.ts';
import { chatLine, linesOf, nativeLine, sessionLine } from '../../fixtures/growing-logs.ts';
import { dumpAlerts, dumpRollouts, importPaths, openEngine, runToEnd } from './engine-run.ts';

let folder: string;
let engine: Engine;
let log: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-append-'));
  log = join(folder, 'log.jsonl');
  engine = await openEngine(folder);
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const workspace = (): string => join(folder, 'w.rollscope');

/** Row ids by public id: they change only when a rollout is written again. */
function rowIds(): Map<string, number> {
  const db = openReader(workspace());
  try {
    const rows = db.all<{ uid: string; id: number }>('SELECT uid, id FROM rollouts WHERE uid IS NOT NULL ORDER BY id');
    return new Map(rows.map(({ uid, id }) => [uid, id]));
  } finally {
    db.close();
  }
}

/** What an import of the file into a workspace of its own gives. */
async function importedAtOnce(): Promise<{ rollouts: Map<string, string>; alerts: unknown[] }> {
  const other = mkdtempSync(join(tmpdir(), 'rollscope-append-'));
  const fresh = await openEngine(other);
  try {
    await importPaths(fresh, log);
    return { rollouts: dumpRollouts(join(other, 'w.rollscope')), alerts: dumpAlerts(join(other, 'w.rollscope')) };
  } finally {
    await fresh.close();
    rmSync(other, { recursive: true, force: true });
  }
}

describe('a file that has grown', () => {
  it('is read on where its import stopped; what was there keeps rows, ids and labels', async () => {
    writeFileSync(log, linesOf(nativeLine, 0, 9));
    await importPaths(engine, log);
    const before = rowIds();
    const [labelled = ''] = before.keys();
    await engine.client.labels.label({ target: { type: 'rollout', rollout: labelled }, verdict: 'hack' });
    const size = statSync(log).size;
    appendFileSync(log, linesOf(nativeLine, 9, 13));
    const { files } = await importPaths(engine, log);
    expect(files).toMatchObject([
      {
        status: 'appended',
        rollouts: 13,
        growth: { fromByte: size, newBytes: statSync(log).size - size, rereadBytes: 0, newRollouts: 4 },
      },
    ]);
    const after = rowIds();
    for (const [uid, id] of before) expect(after.get(uid)).toBe(id);
    expect(await engine.client.labels.of({ rollout: labelled })).toMatchObject([{ verdict: 'hack' }]);
    const once = await importedAtOnce();
    expect(dumpRollouts(workspace())).toEqual(once.rollouts);
    expect(dumpAlerts(workspace())).toEqual(once.alerts);
    expect((await importPaths(engine, log)).files).toMatchObject([{ status: 'unchanged' }]);
    expect(await engine.client.imports.list()).toMatchObject([{ status: 'appended', growth: { newRollouts: 4 } }]);
  });

  it('gives a second rollout of the same name the same id as one import of all', async () => {
    const same = (n: number): string => nativeLine(n % 3, 8);
    writeFileSync(log, linesOf(same, 0, 4));
    await importPaths(engine, log);
    appendFileSync(log, linesOf(same, 4, 8));
    await importPaths(engine, log);
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);
  });

  it('has its cut last line completed, and the alert about it is gone', async () => {
    const text = linesOf(chatLine, 0, 5);
    writeFileSync(log, text.slice(0, -30));
    const first = await importPaths(engine, log);
    expect(first.files[0]?.alerts.map(({ kind }) => kind)).toEqual(['line-truncated']);
    expect(rowIds().size).toBe(4);
    writeFileSync(log, text);
    const second = await importPaths(engine, log);
    expect(second.files[0]).toMatchObject({ status: 'appended', rollouts: 5, alerts: [] });
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);
  });

  it('of a session is read again as a whole, says so, and keeps its rollout’s id and label', async () => {
    writeFileSync(log, linesOf(sessionLine, 0, 20));
    await importPaths(engine, log);
    const [uid = ''] = rowIds().keys();
    await engine.client.labels.label({ target: { type: 'rollout', rollout: uid }, verdict: 'clean' });
    const db = openReader(workspace());
    const bodies = db.column<number>('SELECT id FROM bodies ORDER BY id');
    db.close();
    const size = statSync(log).size;
    appendFileSync(log, linesOf(sessionLine, 20, 30));
    const { files } = await importPaths(engine, log);
    const newBytes = statSync(log).size - size;
    expect(files).toMatchObject([
      { status: 'appended', rollouts: 1, growth: { fromByte: 0, newBytes, rereadBytes: size, newRollouts: 0 } },
    ]);
    expect([...rowIds().keys()]).toEqual([uid]);
    expect(await engine.client.labels.of({ rollout: uid })).toMatchObject([{ verdict: 'clean' }]);
    const now = openReader(workspace());
    const kept = new Set(now.column<number>('SELECT id FROM bodies ORDER BY id'));
    now.close();
    expect(bodies.every((id) => kept.has(id))).toBe(true);
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);
  });

  it('and was copied anew (another file number) is still known by its beginning', async () => {
    writeFileSync(log, linesOf(nativeLine, 0, 6));
    await importPaths(engine, log);
    const copy = join(folder, 'copy');
    copyFileSync(log, copy);
    appendFileSync(copy, linesOf(nativeLine, 6, 8));
    renameSync(copy, log);
    expect((await importPaths(engine, log)).files).toMatchObject([{ status: 'appended', growth: { newRollouts: 2 } }]);
  });

  it('is told from one in which something else changed too', async () => {
    writeFileSync(log, linesOf(nativeLine, 0, 600));
    await importPaths(engine, log);
    const copy = join(folder, 'copy');
    const text = readFileSync(log, 'utf8');
    const middle = text.indexOf('grow-300');
    writeFileSync(copy, `${text.slice(0, middle)}grew-300${text.slice(middle + 8)}${nativeLine(600)}\n`);
    renameSync(copy, log);
    const { files } = await importPaths(engine, log);
    expect(files).toMatchObject([{ status: 'imported', rollouts: 601 }]);
    expect(files[0]?.message).toContain('rewritten');
  });

  it('is told from one that was edited in its middle, in its place, while it grew', async () => {
    const edit = (from: string, to: string): void => {
      const bytes = readFileSync(log);
      bytes.write(to, bytes.indexOf(from));
      // In the same file: neither its number nor its ends change.
      writeFileSync(log, bytes);
    };
    writeFileSync(log, linesOf(nativeLine, 0, 150));
    await importPaths(engine, log);
    edit('grow-75', 'grew-75');
    appendFileSync(log, linesOf(nativeLine, 150, 151));
    const changed = new Date('2026-01-02T03:04:05Z');
    utimesSync(log, changed, changed);
    const [grown] = (await importPaths(engine, log)).files;
    expect(grown).toMatchObject({ status: 'imported', rollouts: 151 });
    expect(grown?.message).toContain('rewritten');
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);

    // With its old time of change only a look at every byte finds it.
    edit('grow-60', 'grew-60');
    utimesSync(log, changed, changed);
    expect((await importPaths(engine, log)).files).toMatchObject([{ status: 'unchanged' }]);
    const recheck = async () => {
      const { result } = await runToEnd(engine, { kind: 'import', paths: [log], recheck: true });
      return importReport.parse(result).files;
    };
    expect(await recheck()).toMatchObject([{ status: 'imported', rollouts: 151 }]);
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);
    expect(await recheck()).toMatchObject([{ status: 'unchanged' }]);
  });

  it('compressed is read again from the start', async () => {
    writeFileSync(log, gzipSync(linesOf(nativeLine, 0, 6)));
    await importPaths(engine, log);
    writeFileSync(log, gzipSync(linesOf(nativeLine, 0, 8)));
    expect((await importPaths(engine, log)).files).toMatchObject([{ status: 'imported', rollouts: 8 }]);
  });
});

describe('a file that was rewritten', () => {
  it('is noticed, said so, and takes the place of the old one with labels kept', async () => {
    writeFileSync(log, linesOf(nativeLine, 0, 6));
    await importPaths(engine, log);
    const [labelled = ''] = rowIds().keys();
    await engine.client.labels.label({ target: { type: 'rollout', rollout: labelled }, verdict: 'unsure' });
    writeFileSync(log, `${nativeLine(90)}\n${linesOf(nativeLine, 0, 8)}`);
    const { files } = await importPaths(engine, log);
    expect(files).toMatchObject([{ status: 'imported', rollouts: 9 }]);
    expect(files[0]?.message).toContain('rewritten');
    expect(await engine.client.labels.of({ rollout: labelled })).toMatchObject([{ verdict: 'unsure' }]);
    expect(dumpRollouts(workspace())).toEqual((await importedAtOnce()).rollouts);
  });

  it('or rotated, so that it is shorter now, is said to be', async () => {
    writeFileSync(log, linesOf(nativeLine, 0, 6));
    await importPaths(engine, log);
    renameSync(log, `${log}.1`);
    writeFileSync(log, linesOf(nativeLine, 6, 8));
    const { files } = await importPaths(engine, log);
    expect(files).toMatchObject([{ status: 'imported', rollouts: 2 }]);
    expect(files[0]?.message).toContain('shorter');
    expect(rowIds().size).toBe(2);
  });
});

describe('a folder', () => {
  it('is imported again with what is new in it only', async () => {
    const logs = join(folder, 'logs');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(logs);
    writeFileSync(join(logs, 'a.jsonl'), linesOf(nativeLine, 0, 3));
    writeFileSync(join(logs, 'b.jsonl'), linesOf(chatLine, 0, 3));
    writeFileSync(join(logs, 'c.jsonl'), linesOf(sessionLine, 0, 6));
    await importPaths(engine, logs);
    appendFileSync(join(logs, 'b.jsonl'), linesOf(chatLine, 3, 5));
    writeFileSync(join(logs, 'd.jsonl'), linesOf(nativeLine, 50, 52));
    const { files } = await importPaths(engine, logs);
    expect(files.map(({ status }) => status)).toEqual(['unchanged', 'appended', 'unchanged', 'imported']);
    expect((await importPaths(engine, logs)).files.map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => 'unchanged'),
    );
  });
});
