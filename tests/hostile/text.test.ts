// Hostile JSON and text: each gives the right rows with an alert, or a refusal; nothing is lost in silence and no memory
// grows with what a file merely claims.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chatLine, importBytes, importPath, memoryOf } from './support.ts';

const good = chatLine('fine');

describe('lines', () => {
  it.each<[what: string, content: string | Uint8Array, rollouts: number, kinds: string[]]>([
    ['a byte order mark', `\uFEFF${good}\n${good}\n`, 2, []],
    ['CRLF', `${good}\r\n${good}\r\n`, 2, []],
    ['NUL bytes around a record', `${good}\n\0\0\0${good}\0\0\n`, 2, ['nul-bytes']],
    ['a broken first line', `{"messages":[{"role":"user"\n${good}\n${good}\n`, 2, ['json-invalid']],
    ['a cut last line', `${good}\n${good.slice(0, 40)}`, 1, ['line-truncated']],
    ['bare NaN and Infinity', `${good}\n${chatLine('x', ',"a":NaN,"b":-Infinity')}\n`, 2, ['nonfinite-number']],
    ['two records on one line', `${good}${good}\n${good}\n`, 3, ['several-records-on-line']],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(`${good}\n`), Buffer.from(chatLine('\xff\xfe'), 'latin1'), Buffer.from('\n')]),
      2,
      ['encoding-invalid'],
    ],
    ['a lone surrogate', `${good}\n${chatLine('\\ud800')}\n`, 2, ['text-malformed']],
  ])('%s', async (_what, content, rollouts, kinds) => {
    const outcome = await importBytes('log.jsonl', content);
    expect(outcome.refusal).toBeNull();
    expect(outcome.rollouts).toBe(rollouts);
    expect(outcome.kinds).toEqual(kinds);
    for (const text of outcome.texts) expect(text.isWellFormed()).toBe(true);
  });

  it('lines that end with CR only are not lost in silence', async () => {
    const outcome = await importBytes('log.jsonl', `${good}\r${good}\r${good}\r`);
    expect(outcome.refusal !== null || outcome.rollouts === 3 || outcome.kinds.length > 0).toBe(true);
    if (outcome.refusal === null) expect(outcome.rollouts).toBe(3);
  });

  it('keeps integers beyond 2^53 exactly', async () => {
    const line = JSON.stringify({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a' },
      ],
    });
    const outcome = await importBytes('log.jsonl', `${line.slice(0, -1)},"seed":9007199254740993}\n${good}\n`);
    expect(outcome.rollouts).toBe(2);
    expect(outcome.kinds).toEqual(['integer-too-large']);
    expect(outcome.alerts[0]?.message).toMatch(/9007199254740993|digits|2\^53/);
  });

  it('never reaches a prototype', async () => {
    const line = chatLine('x', ',"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}');
    const outcome = await importBytes('log.jsonl', `${line}\n${good}\n`);
    expect(outcome.rollouts).toBe(2);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('skips a bomb of brackets, by its bytes', async () => {
    const bomb = `{"messages":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}`;
    const { value, mib } = await memoryOf(() => importBytes('log.jsonl', `${good}\n${bomb}\n${good}\n`));
    expect(value.rollouts).toBe(2);
    expect(value.kinds).toEqual(['nesting-too-deep']);
    expect(mib).toBeLessThan(300);
  });

  it('reads a single line of 50 MB', async () => {
    const said = 'long '.repeat(10_000_000);
    const { value, mib } = await memoryOf(() => importBytes('log.jsonl', `${chatLine(said)}\n${good}\n`));
    expect(value.rollouts).toBe(2);
    expect(value.texts.some((text) => text.length === said.length)).toBe(true);
    expect(mib).toBeLessThan(900);
  });

  it('skips a line over the limit with its beginning at hand, and names the flag', async () => {
    const outcome = await importBytes('log.jsonl', `${good}\n${chatLine('y'.repeat(5_000))}\n${good}\n`, {
      lineBytes: 1_000,
    });
    expect(outcome.rollouts).toBe(2);
    expect(outcome.alerts).toMatchObject([{ kind: 'line-too-long', place: { line: 2, offset: good.length + 1 } }]);
    expect(outcome.alerts[0]?.message).toContain('--limit-line-bytes');
    expect(outcome.alerts[0]?.raw?.startsWith('{"messages"')).toBe(true);
  });
});

describe('arrays', () => {
  it('cuts a long array by bytes: memory does not grow with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollscope-hostile-'));
    try {
      const path = join(folder, 'log.json');
      const file = openSync(path, 'w');
      const element = chatLine('z'.repeat(100_000));
      writeSync(file, '[');
      const count = 1_500;
      for (let i = 0; i < count; i++) writeSync(file, `${i === 0 ? '' : ','}\n${element}`);
      writeSync(file, ']');
      closeSync(file);
      let texts = 0;
      const { value, mib } = await memoryOf(async () => {
        const outcome = await importPath(path);
        texts = outcome.texts.length;
        return outcome.rollouts;
      });
      expect(value).toBe(count);
      expect(texts).toBe(2 * count);
      // The texts themselves are held by this test: 150 MB.
      expect(mib).toBeLessThan(600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keeps what is complete of an array that is cut, and says so', async () => {
    const outcome = await importBytes('log.json', `[${good},\n${good},\n${good.slice(0, 30)}`);
    expect(outcome.rollouts).toBe(2);
    expect(outcome.kinds).toEqual(['array-truncated']);
  });
});

describe('compressed', () => {
  it('stops a gzip bomb at the ratio, naming the flag', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000, '\n'));
    const { value, mib } = await memoryOf(() => importBytes('log.jsonl.gz', bomb, { decompressionRatio: 100 }, 'chat'));
    expect(value.refusal?.code).toBe('limit-exceeded');
    expect(value.refusal?.hint).toContain('--limit-decompression-ratio');
    expect(mib).toBeLessThan(200);
  });

  it('keeps what stands before the damage of a compressed file', async () => {
    const whole = gzipSync(Array.from({ length: 200 }, (_, i) => `${chatLine(`n${i} ${Math.sin(i)}`)}\n`).join(''));
    const outcome = await importBytes('log.jsonl.gz', whole.subarray(0, whole.length - 200));
    expect(outcome.refusal).toBeNull();
    expect(outcome.rollouts).toBeGreaterThan(100);
    expect(outcome.kinds).toContain('compressed-damaged');
  });
});
