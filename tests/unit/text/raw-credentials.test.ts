// Credentials in the bytes of a log as they stand in a file: escaped once or several times, cut, between bytes that are no text.

import { describe, expect, test } from 'vitest';
import { maskRaw, maskRawBytes } from '../../../app/domain/text/raw-credentials.ts';

const secret = 'Zk3J9dLq2Wv8Rt5Yx1Nb7Mc4Pf6HgQ8sE0uV2';
const key = `sk-ant-api03-${secret}`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (given: Uint8Array): string => new TextDecoder().decode(given);

describe('a piece of a log as text', () => {
  test('a credential behind an escape is found at every depth of JSON in JSON, and only it is replaced', () => {
    let source = `export KEY\n${key}\nthen "go on"`;
    for (let depth = 0; depth < 4; depth++) {
      const masked = maskRaw(source);
      expect(masked.text, `depth ${depth}`).toBe(source.replace(key, '[masked anthropic-key]'));
      expect(masked.found).toHaveLength(1);
      source = JSON.stringify(source);
    }
  });

  test('one written with escapes of its own is masked as a whole', () => {
    const escaped = [...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    expect(maskRaw(`{"a":"${escaped}"}`).text).toBe('{"a":"[masked anthropic-key]"}');
  });

  test('a line that was cut inside a private key does not show what is left of it', () => {
    const cut = JSON.stringify(`-----BEGIN PRIVATE KEY-----\n${secret}${secret}\n${secret}`).slice(0, -8);
    expect(maskRaw(cut).text).not.toContain(secret);
  });

  test('one whose announcement is itself escaped is found', () => {
    expect(maskRaw('{"url":"https:\\/\\/me:hq7ZxPlum@host.example\\/a"}').text).toBe(
      '{"url":"https:\\/\\/me:[masked url-password]@host.example\\/a"}',
    );
  });

  test('nothing else changes', () => {
    const plain = '{"messages": broken\\u0007 \\ud800 é 中\\\\"}';
    expect(maskRaw(plain)).toEqual({ text: plain, found: [] });
  });
});

describe('bytes', () => {
  test('keep their offsets: a credential becomes as many bytes', () => {
    const source = `中文 {"said":"x\\n${key}\\n"} é`;
    const masked = bytes(source);
    expect(maskRawBytes(masked)).toHaveLength(1);
    expect(masked.length).toBe(bytes(source).length);
    expect(text(masked)).toBe(source.replace(key, '[masked anthropic-key]'.padEnd(key.length, '*')));
  });

  test('a short one is asterisks; bytes that are no text stay as they are', () => {
    const source = Uint8Array.of(0xff, 0xc3, 0x28, 0xed, ...bytes(' https://me:hq7Zx@host.example/ '), 0xf0, 0x9f);
    const masked = source.slice();
    expect(maskRawBytes(masked)).toMatchObject([{ kind: 'url-password' }]);
    expect(text(masked.subarray(4, -2))).toBe(' https://me:*****@host.example/ ');
    expect([...masked.subarray(0, 4)]).toEqual([...source.subarray(0, 4)]);
    expect([...masked.subarray(-2)]).toEqual([0xf0, 0x9f]);
  });

  test('any bytes are taken', () => {
    let state = 7;
    const random = Uint8Array.from({ length: 5_000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state >> 16;
    });
    expect(() => maskRawBytes(random)).not.toThrow();
  });
});
