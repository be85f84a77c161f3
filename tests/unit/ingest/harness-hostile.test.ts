// Hostile input for every harness format: cut files, wrong types, nulls and foreign keys at random places. A reader may
// refuse, never throw anything else, and never break the order of events that the importer relies on.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format as cline } from '../../../app/ingest/formats/cline.ts';
import { format as codex } from '../../../app/ingest/formats/codex.ts';
import { format as copilotCli } from '../../../app/ingest/formats/copilot-cli.ts';
import { format as geminiCli } from '../../../app/ingest/formats/gemini-cli.ts';
import { formats } from '../../../app/ingest/formats/index.ts';
import { format as inspect } from '../../../app/ingest/formats/inspect.ts';
import { format as miniSweAgent } from '../../../app/ingest/formats/mini-swe-agent.ts';
import { format as openhands } from '../../../app/ingest/formats/openhands.ts';
import { format as sweAgent } from '../../../app/ingest/formats/swe-agent.ts';
import { format as sweBenchReport } from '../../../app/ingest/formats/swe-bench-report.ts';
import { format as terminalBench } from '../../../app/ingest/formats/terminal-bench.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { sniffFile } from '../../../app/ingest/sniff.ts';
import type { Format, ReadContext, SourceFile } from '../../../app/ingest/source.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { fixtureText } from './harness-support.ts';
import { assemble, collect, memoryFile, type ReadResult } from './support.ts';

const cases: readonly (readonly [Format, string, readonly string[]])[] = [
  [codex, 'session.jsonl', ['codex', 'session.jsonl']],
  [codex, 'forked.jsonl', ['codex', 'forked.jsonl']],
  [sweAgent, 'gate.traj', ['swe-agent', 'gate.traj']],
  [sweAgent, 'retry.traj', ['swe-agent', 'retry.traj']],
  [sweBenchReport, 'gate.report.json', ['swe-agent', 'gate.report.json']],
  [miniSweAgent, 'v1.traj.json', ['mini-swe-agent', 'v1.traj.json']],
  [miniSweAgent, 'v2.traj.json', ['mini-swe-agent', 'v2.traj.json']],
  [openhands, 'output.jsonl', ['openhands', 'output.jsonl']],
  [openhands, 'resolver.jsonl', ['openhands', 'resolver.jsonl']],
  [openhands, 'event-00003-id-3.json', ['openhands', 'v1', 'events', 'event-00003-id-3.json']],
  [inspect, 'log.json', ['inspect', 'log.json']],
  [geminiCli, 'session.jsonl', ['gemini-cli', 'session.jsonl']],
  [copilotCli, 'events.jsonl', ['copilot-cli', 'events.jsonl']],
  [cline, 'apple.messages.json', ['cline', 'apple.messages.json']],
  [cline, 'compacted.messages.json', ['cline', 'compacted.messages.json']],
  [terminalBench, 'run.results.json', ['terminal-bench', 'run.results.json']],
];

const context: ReadContext = { limits: defaultLimits, sibling: async () => null, checkCancelled: () => {} };

/** Reads without the importer's safety net, which would hide a fault of the reader. Null for a refusal. */
async function tolerantRead(format: Format, file: SourceFile): Promise<ReadResult | null> {
  try {
    const result = assemble(await collect(format.read({ main: file, parts: [] }, context)));
    JSON.stringify(result.events);
    return result;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function detectAll(file: SourceFile): Promise<void> {
  try {
    const sniff = await sniffFile(file, defaultLimits);
    for (const format of formats) format.detect(sniff);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const odd: readonly unknown[] = [
  null,
  0,
  -1,
  1.5e308,
  '',
  'text',
  true,
  [],
  {},
  [null],
  [[]],
  { a: null },
  ['x', 1, null],
];

/** Every place in a value, as a list of keys. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...path, key]))];
}

function withReplaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((child, i) => (String(i) === key ? withReplaced(child, rest, by) : child));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, name === key ? withReplaced(child, rest, by) : child]),
  );
}

/** The records of a fixture: its lines, or the one document. */
function recordsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}

const written = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe.each(cases.map(([format, name, path]) => [`${format.id}: ${name}`, format, name, path] as const))(
  '%s',
  (_title, format, name, path) => {
    const text = fixtureText(...path);
    const records = recordsOf(text);

    it('survives a cut at every place', async () => {
      expect(await tolerantRead(format, memoryFile(`/logs/${name}`, text, 4096))).not.toBeNull();
      const step = Math.max(1, Math.floor(text.length / 100));
      for (let end = 0; end < text.length; end += step) {
        const file = memoryFile(`/logs/${name}`, text.slice(0, end), 4096);
        await detectAll(file);
        await tolerantRead(format, file);
      }
    });

    it('survives any value in any place', async () => {
      const places = records.flatMap((record, i) => placesOf(record).map((at) => [i, at] as const));
      // Places spread over the whole file, with a value that turns with the place; the property below mixes several.
      const stride = Math.ceil(places.length / 300);
      for (const [n, [index, at]] of places.entries()) {
        if (n % stride !== 0) continue;
        const by = odd[Math.floor(n / stride) % odd.length];
        const changed = records.map((record, i) => (i === index ? withReplaced(record, at, by) : record));
        await tolerantRead(format, memoryFile(`/logs/${name}`, written(changed), 65_536));
      }
    }, 30_000);

    it('survives several changes at once', async () => {
      const places = records.flatMap((record, i) => placesOf(record).map((at) => [i, at] as const));
      const change = fc.tuple(fc.constantFrom(...places), fc.oneof(fc.constantFrom(...odd), fc.jsonValue()));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 6 }), async (changes) => {
          const changed = changes.reduce<unknown[]>(
            (all, [[index, at], by]) => all.map((record, i) => (i === index ? withReplaced(record, at, by) : record)),
            records,
          );
          await tolerantRead(format, memoryFile(`/logs/${name}`, written(changed), 65_536));
        }),
        { numRuns: 30 },
      );
    }, 30_000);

    it('survives its own records in another order, twice', async () => {
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray([...records, ...records]), async (mixed) => {
          const result = await tolerantRead(format, memoryFile(`/logs/${name}`, written(mixed), 65_536));
          if (result !== null) for (const { rollout } of result.rollouts) expect(rollout.key).not.toBe('');
        }),
        { numRuns: 15 },
      );
    }, 30_000);

    it('never reaches a prototype', async () => {
      const hostile = text.replaceAll(/"(?:extra|args|payload|metadata|info)"/gu, '"__proto__"');
      await tolerantRead(format, memoryFile(`/logs/${name}`, hostile, 4096));
      expect(Object.keys(Object.getPrototypeOf({}))).toEqual([]);
      expect(Reflect.get({}, 'command')).toBeUndefined();
    });
  },
);
