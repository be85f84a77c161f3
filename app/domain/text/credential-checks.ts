// What tells a credential from what merely looks like one: checksums, randomness, and the stand-ins that documents use.

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (crcTable[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Whether a token `prefix_` + 30 characters + 6 of checksum is sound: the last six are the CRC-32 of the thirty, in base 62,
 * as GitHub and npm publish it ("Behind GitHub's new authentication token formats", 2021).
 */
export function hasTokenChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1);
  if (body.length !== 36) return false;
  let rest = crc32(body.slice(0, 30));
  let expected = '';
  for (let i = 0; i < 6; i++) {
    expected = (base62[rest % 62] ?? '0') + expected;
    rest = Math.floor(rest / 62);
  }
  return body.slice(30) === expected;
}

/** Shannon entropy of the first characters of a text, bits a character. */
export function entropy(text: string): number {
  if (text.length === 0) return 0;
  const begin = text.slice(0, lookedAt);
  const counts = new Map<string, number>();
  for (const character of begin) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / begin.length) * Math.log2(count / begin.length);
  return bits;
}

/** Whether a text has letters and digits: words and numbers alone are rarely keys. */
export function mixesCharacters(text: string): boolean {
  return /[A-Za-z]/u.test(text) && /\d/u.test(text);
}

/** Whether a text looks drawn at random: letters and digits, and as many different ones as a key of its length has. */
export function looksRandom(text: string): boolean {
  return mixesCharacters(text) && entropy(text) >= (text.length >= 24 ? 3.4 : 2.9);
}

/** Characters that a check looks at; a longer text is judged by its beginning, so that a hostile one costs no time. */
const lookedAt = 96;

const standIn =
  /example|placeholder|your[-_]?|changeme|change[-_]me|redacted|dummy|sample|insert|replace|test[-_]?key|fake|x{5,}|\*{3,}|\.{3,}|0{8,}|1234567|abcdef[g0]/iu;

/** Whether a text stands for a credential in a document or a template and is none. */
export function isPlaceholder(text: string): boolean {
  const begin = text.slice(0, lookedAt);
  return standIn.test(begin) || new Set(begin).size <= 3;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** Whether what is assigned to `password`, `token` or their like is a literal secret, and no code, path, id or template. */
export function looksSecret(value: string): boolean {
  if (!mixesCharacters(value) || isPlaceholder(value) || uuid.test(value)) return false;
  // Code: member access, types, paths, variables, escapes, dates.
  if (/^[$%/~.]|::|->|\$\{|^\d{4}-\d\d|^[A-Za-z_]+(?:\.[A-Za-z_]\w*)+$|^(?:sha\d{3}|md5)[-:]/u.test(value))
    return false;
  if (/^[\d.,eE+-]+$/u.test(value) || /^[A-Za-z]+[_-]?\d{1,3}$/u.test(value) || /^v?\d+(?:\.\d+)+/u.test(value))
    return false;
  // Words joined by _ or -, as names of variables and models are.
  if (/^[a-z]+(?:[_-][a-z0-9]{1,9})+$/iu.test(value) && entropy(value) < 3.9) return false;
  return entropy(value) >= (value.length >= 20 ? 3.2 : 2.75);
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Whether base64url text is the header of a JSON web token: JSON that names its algorithm. */
export function decodesToJwtHeader(text: string): boolean {
  let decoded = '';
  let bits = 0;
  let held = 0;
  for (const character of text) {
    const value = base64.indexOf(character);
    if (value < 0) return false;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      decoded += String.fromCharCode((held >> bits) & 0xff);
    }
  }
  return decoded.startsWith('{"') && /"alg"\s*:/u.test(decoded);
}
