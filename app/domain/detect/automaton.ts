// Finds which of many literals stand in a text, in one pass and whatever their number: the automaton of Aho and Corasick
// (1975) with all its failure links resolved, over ASCII letters in lower case. Characters beyond ASCII are not told apart.

/**
 * The literals found in a text: the bit `bitOf(id)` of word `wordOf(id)`; words that are not there are 0. A plain array, since a typed
 * one keeps its memory outside of the heap, and one is made for almost every text.
 */
export type Found = readonly number[];

/** Bits of a word: with more, its numbers would be objects where V8 compresses pointers, as Electron does. */
export const bitsPerWord = 30;

export function wordOf(id: number): number {
  return Math.floor(id / bitsPerWord);
}

export function bitOf(id: number): number {
  return 1 << (id % bitsPerWord);
}

/** A row of the table: with more characters than columns, those that few literals hold share the last one. */
const maxColumns = 64;

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
  /** For each such state the words and bits of the ids that it ends, one after the other. */
  readonly #ends: readonly Int32Array[];
  /** The run in which a state was last seen to end, so that a literal that repeats costs nothing. */
  readonly #seen: Uint32Array;
  #run = 0;

  /**
   * `literals` are texts in lower case with their ids; ids are below `ids`. A character beyond ASCII stands for any such one; where there
   * are more than 63 characters, the rarest of them are not told apart either.
   */
  constructor(literals: ReadonlyMap<string, number>, ids: number) {
    this.#words = Math.max(1, wordOf(ids - 1) + 1);
    const uses = new Map<number, number>();
    for (const literal of literals.keys()) {
      for (let i = 0; i < literal.length; i++) {
        const code = Math.min(literal.charCodeAt(i), 128);
        uses.set(code, (uses.get(code) ?? 0) + 1);
      }
    }
    const columns = Math.min(uses.size + 1, maxColumns);
    for (const [place, [code]] of [...uses].toSorted((a, b) => b[1] - a[1]).entries())
      this.#columns.fill(Math.min(place + 1, columns - 1), code, code === 128 ? undefined : code + 1);
    for (let code = 65; code <= 90; code++) this.#columns[code] = this.#columns[code + 32] ?? 0;
    for (const [code, letter] of folded) this.#columns[code] = this.#columns[letter.charCodeAt(0)] ?? 0;
    this.#shift = 32 - Math.clz32(columns - 1);
    const tree = treeOf(literals, this.#columns);
    const { states, ends } = tree;
    const { fail, order } = failures(tree);
    // Ends of a suffix are ends of the state.
    for (let i = 0; i < order.length; i++) {
      const state = order[i] ?? 0;
      const inherited = ends[fail[state] ?? 0];
      if (inherited === undefined) continue;
      const own = ends[state];
      ends[state] = own === undefined ? inherited : [...own, ...inherited];
    }
    // States that end nothing come first, so that one comparison tells them apart.
    const place = new Int32Array(states);
    const loud: (readonly number[])[] = [];
    let quiet = 1;
    for (const state of order) if (ends[state] === undefined) place[state] = quiet++;
    for (const state of order) {
      const own = ends[state];
      if (own !== undefined) place[state] = quiet + loud.push(own) - 1;
    }
    this.#firstEnd = quiet;
    this.#ends = loud.map((own) => Int32Array.from(own.flatMap((id) => [wordOf(id), bitOf(id)])));
    this.#seen = new Uint32Array(loud.length);
    this.#next = states < 0x10000 ? new Uint16Array(states << this.#shift) : new Int32Array(states << this.#shift);
    fillNext(this.#next, this.#shift, tree, { order, fail, place });
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
    for (let i = 0; i < ends.length; i += 2) {
      const word = ends[i] ?? 0;
      found[word] = (found[word] ?? 0) | (ends[i + 1] ?? 0);
    }
  }
}

/** The literals as a tree. Children are chained, since almost every state has one or none: a row for each would be mostly empty. */
interface Tree {
  readonly states: number;
  /** By state: its first child, the next child of its parent, and the column that leads to it; 0 for none (the root is nobody's child). */
  readonly child: Int32Array;
  readonly sibling: Int32Array;
  readonly column: Uint8Array;
  /** By state: the ids that it ends. */
  readonly ends: (readonly number[] | undefined)[];
}

function treeOf(literals: ReadonlyMap<string, number>, columnOf: Uint8Array): Tree {
  let most = 1;
  for (const literal of literals.keys()) most += literal.length;
  const child = new Int32Array(most);
  const sibling = new Int32Array(most);
  const column = new Uint8Array(most);
  const ends: (readonly number[] | undefined)[] = [];
  let states = 1;
  for (const [literal, id] of literals) {
    let state = 0;
    for (let i = 0; i < literal.length; i++) {
      const wanted = columnOf[literal.charCodeAt(i)] ?? 0;
      let next = childBy(child, sibling, column, state, wanted);
      if (next === 0) {
        next = states++;
        column[next] = wanted;
        sibling[next] = child[state] ?? 0;
        child[state] = next;
      }
      state = next;
    }
    ends[state] = [...(ends[state] ?? []), id];
  }
  return { states, child, sibling, column, ends };
}

/** The child of a state to which a column leads; 0 for none. */
function childBy(child: Int32Array, sibling: Int32Array, column: Uint8Array, state: number, wanted: number): number {
  let next = child[state] ?? 0;
  while (next !== 0 && column[next] !== wanted) next = sibling[next] ?? 0;
  return next;
}

/** The failure link of every state, and the states but the root in order of depth. */
function failures({ states, child, sibling, column }: Tree): { fail: Int32Array; order: Int32Array } {
  const fail = new Int32Array(states);
  const order = new Int32Array(states - 1);
  // The root has many children, and most ways back end there.
  const ofRoot = new Int32Array(0x100);
  let known = 0;
  for (let next = child[0] ?? 0; next !== 0; next = sibling[next] ?? 0) {
    ofRoot[column[next] ?? 0] = next;
    order[known++] = next;
  }
  for (let i = 0; i < known; i++) {
    const state = order[i] ?? 0;
    for (let next = child[state] ?? 0; next !== 0; next = sibling[next] ?? 0) {
      const wanted = column[next] ?? 0;
      let back = fail[state] ?? 0;
      let found = 0;
      for (; back !== 0 && found === 0; back = fail[back] ?? 0) found = childBy(child, sibling, column, back, wanted);
      fail[next] = found === 0 ? (ofRoot[wanted] ?? 0) : found;
      order[known++] = next;
    }
  }
  return { fail, order };
}

/** Fills the table of next states; a state's own place is `place[state]`. */
function fillNext(
  next: Uint16Array | Int32Array,
  shift: number,
  { child, sibling, column }: Tree,
  { order, fail, place }: { readonly order: Int32Array; readonly fail: Int32Array; readonly place: Int32Array },
): void {
  const width = 1 << shift;
  const put = (state: number, row: number): void => {
    for (let to = child[state] ?? 0; to !== 0; to = sibling[to] ?? 0) next[row + (column[to] ?? 0)] = place[to] ?? 0;
  };
  put(0, 0);
  for (let i = 0; i < order.length; i++) {
    const state = order[i] ?? 0;
    const row = (place[state] ?? 0) << shift;
    // The fail state is nearer to the root, so that its row is complete already.
    const back = (place[fail[state] ?? 0] ?? 0) << shift;
    next.copyWithin(row, back, back + width);
    put(state, row);
  }
}
