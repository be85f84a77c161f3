// Token ids to text: characters split over tokens, added tokens, unknown ids, vocabularies without bytes; and where a rollout's
// texts come from: its log, the file that is set, the file beside the log.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../../app/engine/advantages/tokenizer.ts';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { sharedPath } from '../../shared-material.ts';
import { refusalOf } from '../db/support.ts';

/** Bytes 0 to 255, `hi` 256, two bytes of 你 257, two of 😀 258, `<|end|>` 259. */
const file = resolve(import.meta.dirname, '../../fixtures/tokenizer/tokenizer.json');
const toy = sharedPath('corpus', 'rl-formats', 'toy-tokenizer', 'tokenizer.json');
/** `hi 你😀<|end|>` */
const sentence = [256, 0x20, 257, 0xa0, 258, 0x98, 0x80, 259];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-tokenizer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a byte-level vocabulary', () => {
  const tokenizer = loadTokenizer(file);

  it('gives a character to the token that completes it', () => {
    expect(tokenizer.decode(sentence).map(({ text, partial, goesOn }) => [text, partial, goesOn])).toEqual([
      ['hi', false, false],
      [' ', false, false],
      ['', true, true],
      ['你', true, false],
      ['', true, true],
      ['', true, true],
      ['😀', true, false],
      ['<|end|>', false, false],
    ]);
    expect(tokenizer).toMatchObject({ model: 'BPE', vocabulary: 260 });
  });

  it('shows what can never be a character as the replacement character, and an unknown id by its number', () => {
    const text = (ids: number[]) => tokenizer.decode(ids).map((piece) => piece.text);
    expect(text([257])).toEqual(['�']);
    expect(text([257, 256])).toEqual(['', '�hi']);
    expect(text([257, 259])).toEqual(['�', '<|end|>']);
    expect(text([256, 99_999])).toEqual(['hi', '⟨99999⟩']);
    expect(text([])).toEqual([]);
  });

  it('joins to the same text as the library, however the text is cut into tokens', () => {
    const library = new Tokenizer(JSON.parse(readFileSync(file, 'utf8')), {});
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const { ids } = library.encode(text);
        expect(
          tokenizer
            .decode(ids)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(library.decode(ids));
      }),
    );
  });
});

it('reads a vocabulary with spaces as a sign and bytes as <0x..> tokens', () => {
  const path = join(folder, 'sentencepiece.json');
  const vocab = Object.fromEntries(['<unk>', '▁a', '▁b', 'c', '<0xE4>', '<0xBD>', '<0xA0>'].map((t, i) => [t, i]));
  const decoders = [
    { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
  ];
  writeFileSync(
    path,
    JSON.stringify({
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
      decoder: { type: 'Sequence', decoders },
      model: { type: 'BPE', unk_token: '<unk>', byte_fallback: true, vocab, merges: [] },
    }),
  );
  const pieces = loadTokenizer(path).decode([1, 3, 2, 4, 5, 6, 3]);
  expect(pieces.map(({ text }) => text)).toEqual([' a', 'c', ' b', '', '', '你', 'c']);
});

it('says what is wrong with a file', () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"model": ');
  expect(refusalOf(() => loadTokenizer(broken))?.code).toBe('tokenizer-invalid');
  writeFileSync(broken, '{"version": 1}');
  expect(refusalOf(() => loadTokenizer(broken))?.code).toBe('tokenizer-invalid');
  expect(refusalOf(() => loadTokenizer(join(folder, 'none.json')))?.code).toBe('tokenizer-unreadable');
});

describe.skipIf(toy === null)(
  `the reference tokenizer${toy === null ? ' (skipped: no reference material)' : ''}`,
  () => {
    it('gives every token the text that its maker wrote down', () => {
      const tokenizer = loadTokenizer(toy ?? '');
      const texts: Record<string, string> = JSON.parse(readFileSync(join(toy ?? '', '..', 'id_to_text.json'), 'utf8'));
      // Bytes above ASCII are no characters of their own.
      const whole = Object.entries(texts).filter(
        ([id, text]) => !(Number(id) >= 128 && Number(id) < 256) && text !== '',
      );
      expect(whole.length).toBeGreaterThan(200);
      for (const [id, text] of whole) expect(tokenizer.decode([Number(id)])[0]?.text, id).toBe(text);
    });
  },
);

describe('the texts of a rollout', () => {
  let engine: Engine;
  const rollout = (id: string, change: object = {}) =>
    JSON.stringify({
      format: 'rollscope-rollout/1',
      rollout_id: id,
      status: 'completed',
      reward: { terminal: 1 },
      segments: [0, 1].map((k) => ({
        id: `${id}/${k}`,
        kind: 'execution',
        token_ids: sentence,
        prompt_len: 1,
        align: 'full',
        loss_mask: sentence.map(() => 1),
        steps: [],
        messages: [],
        ...change,
      })),
    });
  const text = async (name: string, start = 0, end = 16) => {
    const id = (await engine.client.rollouts.get({ id: name })).rollout.id;
    return engine.client.rollouts.text({ id, start, end });
  };

  beforeAll(async () => {
    engine = await createEngine({ dbPath: join(folder, 'w.rollscope'), version: 'test', host: 'cli' });
    const log = join(folder, 'log.jsonl');
    const words = sentence.map((_, t) => `w${t} `);
    writeFileSync(log, `${rollout('plain')}\n${rollout('worded', { token_texts: words })}\n`);
    const { id } = await engine.client.jobs.start({ kind: 'import', paths: [log] });
    for await (const state of await engine.client.jobs.watch({ id })) expect(state.error ?? null).toBeNull();
  });
  afterAll(() => engine.close());

  it('are those of the log where it has them, else ids alone', async () => {
    expect(await text('worded', 0, 2)).toMatchObject({
      source: 'log',
      text: 'w0 w1 ',
      pieces: [
        { id: 256, text: 'w0 ' },
        { id: 32, text: 'w1 ' },
      ],
    });
    expect(await text('plain', 0, 2)).toEqual({
      start: 0,
      end: 2,
      source: 'none',
      text: null,
      pieces: [
        { id: 256, text: null, partial: false },
        { id: 32, text: null, partial: false },
      ],
    });
  });

  it('come from the file that is set, whose path is remembered, and which is checked first', async () => {
    const missing = join(folder, 'nowhere.json');
    await expect(engine.client.tokenizer.set({ path: missing })).rejects.toMatchObject({ code: 'tokenizer-invalid' });
    expect((await engine.client.tokenizer.get()).path).toBeNull();
    expect(await engine.client.tokenizer.set({ path: file })).toEqual({
      path: file,
      model: 'BPE',
      vocabulary: 260,
      problem: null,
    });
    expect((await text('plain')).text).toBe('hi 你😀<|end|>hi 你😀<|end|>');
    expect((await text('worded', 0, 1)).source).toBe('log');
    await engine.client.tokenizer.set({ path: null });
    expect((await text('plain')).source).toBe('none');
  });

  it('come from a tokenizer.json beside the log, and keep characters whole at the ends of a span', async () => {
    copyFileSync(file, join(folder, 'tokenizer.json'));
    // Every span that touches a byte of a character has that character, once.
    expect((await text('plain', 3, 4)).text).toBe('你');
    expect((await text('plain', 2, 3)).text).toBe('你');
    expect((await text('plain', 5, 6)).text).toBe('😀');
    expect((await text('plain', 2, 6)).text).toBe('你😀');
    expect((await text('plain', 6, 10)).text).toBe('😀<|end|>hi ');
    expect(await text('plain', 14, 99)).toMatchObject({ start: 14, end: 16, text: '😀<|end|>' });
  });

  it('come with the columns of the command line, by any file', async () => {
    const id = (await engine.client.rollouts.get({ id: 'plain' })).rollout.id;
    const [first] = await engine.readTokens(id, undefined, { tokenizer: file });
    expect(first?.texts).toEqual(['hi', ' ', '', '你', '', '', '😀', '<|end|>']);
    expect((await engine.readTokens(id))[0]).not.toHaveProperty('texts');
    await expect(engine.readTokens(id, undefined, { tokenizer: join(folder, 'no.json') })).rejects.toThrow(
      /cannot be read/u,
    );
  });
});
