// Characters that a reader cannot see but a model can: zero-width and bidirectional controls, control characters, unusual
// spaces. Each gets a short visible name, so that hidden text in a log cannot hide from an annotator.

const names = new Map<number, string>([
  [0x00ad, 'SHY'],
  [0x034f, 'CGJ'],
  [0x061c, 'ALM'],
  [0x115f, 'HCF'],
  [0x1160, 'HJF'],
  [0x17b4, 'KIV'],
  [0x17b5, 'KIV'],
  [0x180e, 'MVS'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LSEP'],
  [0x2029, 'PSEP'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2061, 'FA'],
  [0x2062, 'IT'],
  [0x2063, 'IS'],
  [0x2064, 'IP'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0x3164, 'HF'],
  [0xfeff, 'BOM'],
  [0xffa0, 'HHF'],
]);

/** A hidden character and where it stands: UTF-16 offset and length. */
export interface Invisible {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  /** `U+200B` */
  readonly code: string;
}

// Tab, line feed and carriage return before a line feed are ordinary; U+E0000 to U+E007F are tag characters, and
// variation selectors beyond the emoji one can smuggle bytes.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\u3164\ufeff\uffa0]|[\ufe00-\ufe0e]|\r(?!\n)|\u034f|\udb40[\udc00-\uddef]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// A joiner between two parts of one emoji is what it is meant for.
const emojiJoin = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u;

/** All hidden characters of text[from, to), in order, with offsets in `text`. What stands around the range is looked at. */
export function findInvisible(text: string, from = 0, to = text.length): Invisible[] {
  const found: Invisible[] = [];
  hidden.lastIndex = from;
  for (let match = hidden.exec(text); match !== null && match.index < to; match = hidden.exec(text)) {
    const character = match[0];
    const point = character.codePointAt(0) ?? 0;
    if (point === 0x200d && emojiJoin.test(text.slice(Math.max(0, match.index - 4), match.index))) continue;
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    found.push({ start: match.index, end: match.index + character.length, label: labelOf(point), code });
  }
  return found;
}

function labelOf(point: number): string {
  const known = names.get(point);
  if (known !== undefined) return known;
  if (point === 0x0d) return 'CR';
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return '␡';
  if (point >= 0xe0000 && point <= 0xe007f) return 'TAG';
  if ((point >= 0xfe00 && point <= 0xfe0e) || (point >= 0xe0100 && point <= 0xe01ef)) return 'VS';
  if (point >= 0xd800 && point <= 0xdfff) return 'half';
  return `x${point.toString(16)}`;
}
