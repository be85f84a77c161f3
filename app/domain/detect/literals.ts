// Required literals of a regular expression: if none of them occurs in a text, the expression cannot match it. A cheap test
// that keeps most rules away from most texts.

const shortest = 3;

/**
 * A set of lower-case strings of which at least one occurs in every text that the pattern matches; null when no such set is
 * known. Errs on the side of null.
 */
export function requiredLiterals(source: string): readonly string[] | null {
  const reader = { source, at: 0 };
  const found = alternatives(reader, 0);
  if (found === null || reader.at < source.length || found.length > 60) return null;
  return found;
}

interface Reader {
  readonly source: string;
  at: number;
}

/** Literals of `a|b|c`: the union, or null as soon as one branch has none. Stops at `)` or the end. */
function alternatives(reader: Reader, depth: number): string[] | null {
  const all: string[] = [];
  let known = true;
  for (;;) {
    const branch = sequence(reader, depth);
    if (branch === null) known = false;
    else all.push(...branch);
    if (reader.source[reader.at] !== '|') break;
    reader.at++;
  }
  return known ? all : null;
}

/** The best set of one branch: its longest run of plain characters or the best group that is not optional. */
function sequence(reader: Reader, depth: number): string[] | null {
  let best: string[] | null = null;
  let run = '';
  const offer = (candidate: string[] | null): void => {
    if (candidate === null || candidate.some((text) => text.length < shortest)) return;
    if (best === null || least(candidate) > least(best)) best = candidate;
  };
  const endRun = (): void => {
    offer(run === '' ? null : [run.toLowerCase()]);
    run = '';
  };
  while (reader.at < reader.source.length) {
    const c = reader.source.charAt(reader.at);
    if (c === '|' || c === ')') break;
    if (c === '(') {
      endRun();
      const group = readGroup(reader, depth + 1);
      if (!optional(reader)) offer(group);
      continue;
    }
    const plain = readAtom(reader);
    if (plain === undefined) {
      endRun();
      optional(reader);
      continue;
    }
    if (/[*?{+]/.test(reader.source[reader.at] ?? '')) {
      const repeated = reader.source[reader.at] === '+';
      if (repeated) run += plain;
      endRun();
      optional(reader);
    } else run += plain;
  }
  endRun();
  return best;
}

function least(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

function readGroup(reader: Reader, depth: number): string[] | null {
  reader.at++;
  const head =
    /^\?(?::|=|!|<=|<!|<[A-Za-z_]\w*>|[a-z-]+:)/.exec(reader.source.slice(reader.at, reader.at + 60))?.[0] ?? '';
  reader.at += head.length;
  const inner = depth > 40 ? null : alternatives(reader, depth);
  if (reader.source[reader.at] === ')') reader.at++;
  // What a look-around sees may lie outside the match, but is still in the text; a negative one requires nothing.
  return head === '?!' || head === '?<!' ? null : inner;
}

/** Reads one atom; the character it stands for, or undefined for a class, an escape with a meaning, or an anchor. */
function readAtom(reader: Reader): string | undefined {
  const { source } = reader;
  const c = source.charAt(reader.at);
  if (c === '[') {
    let i = reader.at + 1;
    while (i < source.length && source[i] !== ']') i += source[i] === '\\' ? 2 : 1;
    reader.at = i + 1;
    return undefined;
  }
  if (c === '\\') {
    const next = source.charAt(reader.at + 1);
    const length =
      next === 'x' ? 4 : next === 'u' ? 6 : next === 'c' ? 3 : next === 'k' || next === 'p' || next === 'P' ? 0 : 2;
    if (length === 0) {
      const end = source.indexOf(next === 'k' ? '>' : '}', reader.at);
      reader.at = end < 0 ? source.length : end + 1;
      return undefined;
    }
    reader.at += length;
    return /[A-Za-z0-9]/.test(next) ? undefined : next;
  }
  reader.at++;
  return /[.^$]/.test(c) ? undefined : c;
}

/** Skips a quantifier; true when it allows zero times. */
function optional(reader: Reader): boolean {
  const quantifier = /^(?:[*?+]|\{(\d*)(?:,\d*)?\})[?+]?/.exec(reader.source.slice(reader.at, reader.at + 20));
  if (quantifier === null) return false;
  reader.at += quantifier[0].length;
  const c = quantifier[0].charAt(0);
  return c === '*' || c === '?' || (c === '{' && Number(quantifier[1] ?? '0') === 0);
}
