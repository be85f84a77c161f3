// Base64 and hex to text, and the judgement whether what comes out is text at all.

const base64Values = new Int8Array(128).fill(-1);
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  base64Values[c.charCodeAt(0)] = value;
base64Values[45] = 62;
base64Values[95] = 63;

/** The text that base64 (also its URL form) stands for; undefined where it is none or no text. */
export function fromBase64(data: string): string | undefined {
  let length = data.length;
  while (data.charAt(length - 1) === '=') length--;
  if (length < 12) return undefined;
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  let odd = 0;
  for (let i = 0; i < length; i++) {
    const value = base64Values[data.charCodeAt(i)] ?? -1;
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (buffer >> bits) & 0xff;
    bytes.push(byte);
    // Most words that could be base64 are names: what they would say shows soon that they are not.
    if (isControl(byte) && ++odd > length / 13) return undefined;
  }
  return printable(utf8(bytes));
}

function isControl(byte: number): boolean {
  return byte === 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);
}

/** The text that hex digits stand for; undefined where they are none or no text. */
export function fromHex(data: string): string | undefined {
  if (data.length % 2 !== 0) return undefined;
  const bytes: number[] = [];
  for (let i = 0; i < data.length; i += 2) {
    const value = Number.parseInt(data.slice(i, i + 2), 16);
    if (Number.isNaN(value)) return undefined;
    bytes.push(value);
  }
  return printable(utf8(bytes));
}

/** UTF-8 decoding without the platform's decoder, which pure code does not have; undefined for bytes that are not UTF-8. */
function utf8(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++] ?? 0;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      continue;
    }
    const more =
      lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0;
    if (more === 0) return undefined;
    let code = lead & (0x3f >> more);
    for (let k = 0; k < more; k++) {
      const next = bytes[i++] ?? 0;
      if ((next & 0xc0) !== 0x80) return undefined;
      code = (code << 6) | (next & 0x3f);
    }
    const least = more === 3 ? 0x10000 : more === 2 ? 0x800 : 0x80;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    text += String.fromCodePoint(code);
  }
  return text;
}

/** The text when at least nine tenths of it are letters, digits, blanks and ASCII punctuation. */
function printable(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  let good = 0;
  for (const c of text) if (/[\t\n\r\x20-\x7e]|\p{L}/u.test(c)) good++;
  return good >= text.length * 0.9 && !text.includes('\u0000') ? text : undefined;
}
