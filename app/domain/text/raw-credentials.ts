// Credentials in the source of a log: the bytes or the text as they stand in a file, where a text may be a string of JSON inside
// another one. What stands behind `\n` or `\"` begins a word only once the escape is read, so every reading of the source is
// looked at, and what is found in any of them is masked where it stands.

import { type FoundCredential, findCredentials, type MaskedText, mayHoldCredentials } from './credentials.ts';

/** Readings of one source: JSON in JSON in JSON in JSON. Each halves the backslashes in front of a quote. */
const readings = 4;

/** A reading of a source, with the place in the source of each of its units and of its end. */
interface Reading {
  readonly text: string;
  readonly places: Int32Array;
}

/** Replaces every credential of a piece of a log, as it stands in the file, by `[masked KIND]`. Changes nothing else. */
export function maskRaw(source: string): MaskedText {
  // Without its escapes it says what all its readings do, but for characters that are written as numbers.
  if (!source.includes('\\u') && !mayHoldCredentials(source.replaceAll('\\', ''))) return { text: source, found: [] };
  const places = Int32Array.from({ length: source.length + 1 }, (_, i) => i);
  const found = credentialsOf({ text: source, places });
  let masked = '';
  let from = 0;
  for (const { kind, start, end } of found) {
    masked += `${source.slice(from, start)}[masked ${kind}]`;
    from = end;
  }
  return { text: masked + source.slice(from), found };
}

/**
 * The same for bytes, in place: each credential becomes `[masked KIND]` filled up with asterisks (only those where it is
 * short), so that every byte keeps its offset. Gives the ranges [start, end) that were masked.
 */
export function maskRawBytes(bytes: Uint8Array): readonly FoundCredential[] {
  const found = credentialsOf(readingOf(bytes));
  for (const { kind, start, end } of found) {
    const name = `[masked ${kind}]`;
    const word = name.length <= end - start ? name : '';
    for (let i = start; i < end; i++) bytes[i] = i - start < word.length ? word.charCodeAt(i - start) : asterisk;
  }
  return found;
}

const asterisk = 0x2a;

/** The credentials of all readings of a source, in its places, in order; overlapping ones are one. */
function credentialsOf(source: Reading): FoundCredential[] {
  const found: FoundCredential[] = [];
  let reading: Reading | null = source;
  for (let i = 0; i < readings && reading !== null; i++) {
    const { text, places } = reading;
    for (const { start, end, ...what } of findCredentials(text)) {
      found.push({ ...what, start: places[start] ?? 0, end: places[end] ?? 0 });
    }
    reading = unescaped(reading);
  }
  const united: FoundCredential[] = [];
  for (const next of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (last === undefined || next.start >= last.end) united.push(next);
    else if (next.end > last.end) united.splice(-1, 1, { ...last, end: next.end });
  }
  return united;
}

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A reading with its escapes of JSON read; null where it has none. */
function unescaped({ text, places }: Reading): Reading | null {
  const first = text.indexOf('\\');
  if (first < 0) return null;
  const units: string[] = [text.slice(0, first)];
  const kept = new Int32Array(text.length + 1);
  kept.set(places.subarray(0, first));
  let length = first;
  for (let at = first; at < text.length; ) {
    let unit = text.charAt(at);
    let size = 1;
    if (unit === '\\' && at + 1 < text.length) {
      const code = text.charAt(at + 1) === 'u' ? text.slice(at + 2, at + 6) : '';
      const coded = /^[0-9a-fA-F]{4}$/u.test(code);
      unit = coded
        ? String.fromCharCode(Number.parseInt(code, 16))
        : (letters[text.charAt(at + 1)] ?? text.charAt(at + 1));
      size = coded ? 6 : 2;
    }
    units.push(unit);
    kept[length++] = places[at] ?? 0;
    at += size;
  }
  kept[length] = places[text.length] ?? 0;
  return { text: units.join(''), places: kept.subarray(0, length + 1) };
}

/** Bytes read as UTF-8; a byte that begins no character is one unit. */
function readingOf(bytes: Uint8Array): Reading {
  const units: string[] = [];
  const places = new Int32Array(bytes.length + 1);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const { code, size } = characterAt(bytes, at);
    const unit = String.fromCodePoint(code);
    units.push(unit);
    for (let i = 0; i < unit.length; i++) places[length++] = at;
    at += size;
  }
  places[length] = bytes.length;
  return { text: units.join(''), places: places.subarray(0, length + 1) };
}

const unreadable = 0xfffd;

function characterAt(bytes: Uint8Array, at: number): { readonly code: number; readonly size: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { code: first, size: 1 };
  const size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  if (size === 1 || first >= 0xf5) return { code: unreadable, size: 1 };
  let code = first & (0x7f >> size);
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return { code: unreadable, size: 1 };
    code = code * 64 + (next & 0x3f);
  }
  return code > 0x10ffff ? { code: unreadable, size: 1 } : { code, size };
}
