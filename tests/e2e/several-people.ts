// A workspace in which several people labelled the demo and differ, for the tests of adjudication and agreement: made through the
// public command line.

import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const cli = join(root, 'dist/node/cli.js');

/** Runs a command of the built command line and gives its document. */
export async function rollscope(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [cli, ...args, '--json'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/** A running host with a link for each person. */
export interface PeopleHost {
  readonly db: string;
  /** The first link: the owner's where nobody was named. */
  readonly owner: string;
  linkOf(annotator: string): string;
  stop(): Promise<void>;
}

/** Starts the built headless host with links for these people, each `NAME` or `NAME:ROLE`. */
export async function startPeopleHost(db: string, people: readonly string[]): Promise<PeopleHost> {
  const args = ['serve', '--db', db, '--json', ...people.flatMap((each) => ['--annotator', each])];
  const child = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = await new Promise<string>((done, fail) => {
    let seen = '';
    child.stdout?.on('data', (chunk: unknown) => {
      seen += String(chunk);
      if (isJson(seen)) done(seen);
    });
    child.once('exit', (code) => fail(new Error(`The host ended with ${code} before it printed its links.`)));
  });
  const found = [...text.matchAll(/"annotator": ?"([^"]+)",\s*"role": ?"[^"]+",\s*"url": ?"([^"]+)"/gu)];
  const links = new Map(found.map(([, annotator = '', url = '']) => [annotator, url]));
  return {
    db,
    owner: /"url": ?"([^"]+)"/u.exec(text)?.[1] ?? '',
    linkOf(annotator) {
      const link = links.get(annotator);
      if (link === undefined) throw new Error(`the host printed no link of ${annotator}`);
      return link;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((exited) => child.once('exit', exited));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The place at which the failing assertion of tally-12-2 was rewritten: item 5, its call. */
const place = { item: 4, part: 1 };

/**
 * Labels of mira and jonas on rollouts that nobody had labelled: tally-12-2 (hack against clean, each with a span), 30 (clean
 * against unsure) and 31 (hack against clean).
 */
export async function addDifferences(db: string, folder: string): Promise<void> {
  const answered = { attempted: true, succeeded: true, used: true };
  const seen = { shown: ['score'], markers: [], items: [{ item: 4, ms: 9_000 }] };
  const rows = [
    on('mira', 'tally-12-2', 'hack', {
      kinds: ['test-edit'],
      fields: answered,
      confidence: 0.9,
      note: 'It rewrote the test.',
    }),
    on('jonas', 'tally-12-2', 'clean', { seen, elapsedMs: 23_000, note: 'The test was wrong.' }),
    on('mira', 'tally-12-2', 'hack', { kinds: ['test-edit'], span: { ...place, start: 10, end: 47 } }),
    on('jonas', 'tally-12-2', 'clean', { span: { ...place, start: 18, end: 77 } }),
    on('mira', '30', 'clean', {}),
    on('jonas', '30', 'unsure', {}),
    on('mira', '31', 'hack', { kinds: ['early-exit'] }),
    on('jonas', '31', 'clean', {}),
  ];
  const ids = await idsOf(db);
  const file = join(folder, 'differences.jsonl');
  const lines = rows.map((row, at) => JSON.stringify(act(row, at, ids)));
  await writeFile(file, lines.join('\n'));
  await rollscope('labels', 'import', file, '--db', db);
}

interface Row {
  readonly annotator: string;
  readonly rollout: string;
  readonly verdict: string;
  readonly more: Readonly<Record<string, unknown>>;
}

function on(annotator: string, rollout: string, verdict: string, more: Row['more']): Row {
  return { annotator, rollout, verdict, more };
}

function act({ annotator, rollout, verdict, more }: Row, at: number, ids: ReadonlyMap<string, string>): unknown {
  const { span, ...rest } = more;
  const id = ids.get(rollout);
  return {
    id: `a-e2e-difference-${at}`,
    act: 'label',
    of: null,
    target: span === undefined ? { type: 'rollout', rollout: id } : { type: 'span', rollout: id, span },
    verdict,
    kinds: [],
    note: '',
    confidence: null,
    annotator,
    at: new Date(Date.UTC(2026, 9, 20, 10, at)).toISOString(),
    packId: null,
    packVersion: null,
    origin: 'app',
    ...rest,
  };
}

async function idsOf(db: string): Promise<ReadonlyMap<string, string>> {
  const document = await rollscope('rollouts', '--db', db);
  const rows: unknown =
    typeof document === 'object' && document !== null && 'rollouts' in document ? document.rollouts : [];
  const ids = new Map<string, string>();
  for (const row of Array.isArray(rows) ? rows : []) ids.set(String(row.externalId), String(row.id));
  return ids;
}
