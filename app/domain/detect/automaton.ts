// Finds which of many literals stand in a text, in one pass and whatever their number: the automaton of Aho and Corasick
// (1975) with all its failure links resolved, over ASCII letters in lower case. Characters beyond ASCII are not told apart.

/**
 * The literals found in a text: bit `id & 31` of word `id >> 5`; words that are not there are 0. A plain array, since a typed one
 * keeps its memory outside of the heap, and one is made for almost every text.
 */
export type Found = readonly number[];

/** Characters that simple case folding (regex flags `iu`) makes equal to an ASCII letter: the kelvin sign and the long s. */
const folded: readonly [code: number, letter: string][] = [
  [0x212a, 'k'],
  [0x17f, 's'],
];

const nothing: Found = [];

export class Automaton {
  readonly #words: number;
  /** Code unit -> column of the table; characters of no literal share column 0. */
  readonly #columns = new Uint8Array(0x10000);
  /** A row of the table has a power of two of columns: `state << shift` is where it begins. */
  readonly #shift: number;
  /** Row and column -> next state. Narrow where it can be, since the table has to stay near the processor. */
  readonly #next: Uint16Array | Int32Array;
  /** States from here on end a literal. */
  readonly #firstEnd: number;
  /** For each such state the ids that it ends. */
  readonly #ends: readonly Int32Array[];
  /** The run in which a state was last seen to end, so that a literal that repeats costs nothing. */
  readonly #seen: Uint32Array;
  #run = 0;

  /**
   * `literals` are texts in lower case with their ids; ids are below `ids`. A character beyond ASCII stands for any such one.
   */
  constructor(literals: ReadonlyMap<string, number>, ids: number) {
    this.#words = Math.max(1, (ids + 31) >> 5);
    let columns = 1;
    for (const literal of literals.keys()) {
      for (let i = 0; i < literal.length; i++) {
        const code = literal.charCodeAt(i);
        if (code < 128 && this.#columns[code] === 0) this.#columns[code] = columns++;
        else if (code >= 128 && this.#columns[code] === 0) this.#columns.fill(columns++, 128);
      }
    }
    for (let code = 65; code <= 90; code++) this.#columns[code] = this.#columns[code + 32] ?? 0;
    for (const [code, letter] of folded) this.#columns[code] = this.#columns[letter.charCodeAt(0)] ?? 0;
    this.#shift = 32 - Math.clz32(columns - 1);
    const { children, ends } = trie(literals, this.#columns);
    const { fail, order } = failures(children);
    // Ends of a suffix are ends of the state.
    for (const state of order) {
      const inherited = ends[fail[state] ?? 0] ?? [];
      if (inherited.length > 0) ends[state] = [...(ends[state] ?? []), ...inherited];
    }
    const states = children.length;
    const quiet = order.filter((state) => (ends[state] ?? []).length === 0);
    const loud = order.filter((state) => (ends[state] ?? []).length > 0);
    const place = new Int32Array(states);
    for (const [i, state] of [0, ...quiet, ...loud].entries()) place[state] = i;
    this.#firstEnd = 1 + quiet.length;
    this.#next = states < 0x10000 ? new Uint16Array(states << this.#shift) : new Int32Array(states << this.#shift);
    this.#ends = loud.map((state) => Int32Array.from(ends[state] ?? []));
    this.#seen = new Uint32Array(loud.length);
    for (const state of [0, ...order]) {
      const row = (place[state] ?? 0) << this.#shift;
      const back = (place[fail[state] ?? 0] ?? 0) << this.#shift;
      for (let column = 0; column < columns; column++) {
        const child = children[state]?.get(column);
        // The fail state is nearer to the root, so that its row is complete already.
        if (child !== undefined) this.#next[row + column] = place[child] ?? 0;
        else if (state !== 0) this.#next[row + column] = this.#next[back + column] ?? 0;
      }
    }
  }

  /** The literals that stand in the text. */
  find(text: string): Found {
    // Most texts hold nothing, and making an array takes as long as reading a line.
    let found: number[] | null = null;
    const next = this.#next;
    const columns = this.#columns;
    const firstEnd = this.#firstEnd;
    const shift = this.#shift;
    const run = ++this.#run;
    const seen = this.#seen;
    let state = 0;
    const length = text.length;
    for (let i = 0; i < length; i++) {
      state = next[(state << shift) | (columns[text.charCodeAt(i)] ?? 0)] ?? 0;
      if (state >= firstEnd && seen[state - firstEnd] !== run) {
        found ??= new Array<number>(this.#words).fill(0);
        this.#note(state - firstEnd, found);
      }
    }
    return found ?? nothing;
  }

  #note(index: number, found: number[]): void {
    this.#seen[index] = this.#run;
    const ends = this.#ends[index];
    if (ends === undefined) return;
    for (let i = 0; i < ends.length; i++) {
      const id = ends[i] ?? 0;
      found[id >> 5] = (found[id >> 5] ?? 0) | (1 << (id & 31));
    }
  }
}

interface Trie {
  readonly children: Map<number, number>[];
  readonly ends: number[][];
}

function trie(literals: ReadonlyMap<string, number>, columns: Uint8Array): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [literal, id] of literals) {
    let state = 0;
    for (let i = 0; i < literal.length; i++) {
      const column = columns[literal.charCodeAt(i)] ?? 0;
      let child = children[state]?.get(column);
      if (child === undefined) {
        child = children.length;
        children.push(new Map());
        ends.push([]);
        children[state]?.set(column, child);
      }
      state = child;
    }
    ends[state]?.push(id);
  }
  return { children, ends };
}

/** The failure link of every state, and the states but the root in order of depth. */
function failures(children: readonly ReadonlyMap<number, number>[]): { fail: Int32Array; order: number[] } {
  const fail = new Int32Array(children.length);
  const order: number[] = [...(children[0]?.values() ?? [])];
  for (let i = 0; i < order.length; i++) {
    const state = order[i] ?? 0;
    for (const [column, child] of children[state] ?? []) {
      let back = fail[state] ?? 0;
      while (back !== 0 && children[back]?.has(column) !== true) back = fail[back] ?? 0;
      fail[child] = children[back]?.get(column) ?? 0;
      order.push(child);
    }
  }
  return { fail, order };
}
