// Reading on where an earlier reading stopped: the two parts give what the whole gives, and no byte is parsed twice.

import { describe, expect, it } from 'vitest';
import type { Checkpoint, IngestEvent } from '../../../app/contract/ingest.ts';
import { formats } from '../../../app/ingest/formats/index.ts';
import { readContext, readGroup } from '../../../app/ingest/read-group.ts';
import type { Format, SourceFile } from '../../../app/ingest/source.ts';
import { chatLine, linesOf, nativeLine, sessionLine, tokenLine, verlLine } from '../../fixtures/growing-logs.ts';
import { memoryFile } from '../../fixtures/memory-source.ts';

function formatOf(id: string): Format {
  const found = formats.find((format) => format.id === id);
  if (found === undefined) throw new Error(`no format ${id}`);
  return found;
}

interface Reading {
  readonly events: IngestEvent[];
  readonly checkpoints: Checkpoint[];
  /** Byte ranges that the reader was given, in order. */
  readonly ranges: [number, number][];
}

async function reading(format: Format, text: string, from: Checkpoint | null, following = false): Promise<Reading> {
  const bytes = new TextEncoder().encode(text);
  const ranges: [number, number][] = [];
  const plain = memoryFile('/logs/grow.jsonl', bytes);
  const file: SourceFile = {
    ...plain,
    async *openAt(offset, onBytes) {
      ranges.push([offset, bytes.length]);
      onBytes?.(bytes.length);
      yield bytes.slice(offset);
    },
  };
  const events: IngestEvent[] = [];
  const checkpoints: Checkpoint[] = [];
  for await (const event of readGroup({ main: file, parts: [] }, format, readContext(file), { from, following })) {
    if (event.type === 'checkpoint') checkpoints.push(event.checkpoint);
    else if (event.type !== 'position') events.push(event);
  }
  return { events, checkpoints, ranges };
}

const isRollout = (event: IngestEvent): boolean => event.type !== 'alert';
const last = <T>(list: readonly T[]): T => {
  const found = list.at(-1);
  if (found === undefined) throw new Error('empty');
  return found;
};

const cases: [id: string, line: (n: number) => string][] = [
  ['native', nativeLine],
  ['chat', chatLine],
  ['verl', verlLine],
  ['token-records', tokenLine],
];

describe.each(cases)('%s', (id, line) => {
  const format = formatOf(id);

  it('gives the same rollouts in two readings as in one, and reads no byte twice', async () => {
    const [first, whole] = [linesOf(line, 0, 7), linesOf(line, 0, 12)];
    const before = await reading(format, first, null);
    const place = last(before.checkpoints);
    expect(place).toMatchObject({ offset: new TextEncoder().encode(first).length, line: 8 });
    // What is stored is JSON.
    const stored: Checkpoint = JSON.parse(JSON.stringify(place));
    const after = await reading(format, whole, stored);
    const one = await reading(format, whole, null);
    expect([...before.events, ...after.events].filter(isRollout)).toEqual(one.events.filter(isRollout));
    expect(after.ranges).toEqual([[place.offset, new TextEncoder().encode(whole).length]]);
    expect(after.events.filter((event) => event.type === 'rollout')).toHaveLength(5);
    // Notes about the whole file come at its end, over both parts.
    expect(after.events.filter((event) => event.type === 'alert')).toEqual(
      one.events.filter((event) => event.type === 'alert'),
    );
  });

  it('waits for the rest of a last line that is cut anywhere', async () => {
    const text = linesOf(line, 0, 3);
    const end = text.length;
    const start = linesOf(line, 0, 2).length;
    for (const cut of [start + 1, start + 20, end - 3]) {
      const before = await reading(format, text.slice(0, cut), null, true);
      expect(before.events.filter((event) => event.type === 'rollout')).toHaveLength(2);
      expect(before.events.filter((event) => event.type === 'alert' && event.alert.severity !== 'info')).toEqual(
        (await reading(format, text.slice(0, start), null)).events.filter(
          (event) => event.type === 'alert' && event.alert.severity !== 'info',
        ),
      );
      const after = await reading(format, text, last(before.checkpoints));
      expect(after.events.filter((event) => event.type === 'rollout')).toHaveLength(1);
    }
  });

  it('takes a last line that is complete but for its end, once', async () => {
    const text = linesOf(line, 0, 4);
    const before = await reading(format, text.slice(0, -1), null);
    expect(before.events.filter((event) => event.type === 'rollout')).toHaveLength(4);
    const after = await reading(format, linesOf(line, 0, 6), last(before.checkpoints));
    const one = await reading(format, linesOf(line, 0, 6), null);
    expect([...before.events, ...after.events].filter(isRollout)).toEqual(one.events.filter(isRollout));
  });
});

describe('formats that cannot be read on', () => {
  it('give no place: a session goes on in its one rollout', async () => {
    expect((await reading(formatOf('claude-code'), linesOf(sessionLine, 0, 9), null)).checkpoints).toEqual([]);
  });

  it('give none while rows are held back to be put together', async () => {
    const line = (n: number): string =>
      JSON.stringify({ input: 'p', output: `o ${n}`, score: 1, step: 1, uid: `a_${Math.floor(n / 3)}_${n % 3}` });
    expect((await reading(formatOf('verl'), linesOf(line, 0, 9), null)).checkpoints).toEqual([]);
  });

  it('give none for one document', async () => {
    const text = `[${chatLine(1)},${chatLine(2)}]`;
    expect((await reading(formatOf('chat'), text, null)).checkpoints).toEqual([]);
  });
});

describe('alerts', () => {
  it('are counted on over the limit that is kept', async () => {
    const format = formatOf('native');
    const broken = (n: number): string => (n % 2 === 0 ? `{"broken ${n}` : nativeLine(n, 4));
    const before = await reading(format, linesOf(broken, 0, 700), null);
    const after = await reading(format, linesOf(broken, 0, 1400), last(before.checkpoints));
    const one = await reading(format, linesOf(broken, 0, 1400), null);
    const count = (events: readonly IngestEvent[], kind: string): number =>
      events.reduce(
        (sum, event) => sum + (event.type === 'alert' && event.alert.kind === kind ? (event.alert.count ?? 1) : 0),
        0,
      );
    // Of the first reading only what came before its place stays: the first 200 one by one.
    expect(200 + count(after.events, 'json-invalid')).toBe(count(one.events, 'json-invalid'));
  });
});
