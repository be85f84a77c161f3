// The text form of a filter, for `--where` and the filter box: `reward >= 0.5 and label is none and task ~ "cursor"`.
// Grammar: condition { ("and" | "&&" | ",") condition }; condition: column op value | column "is" ["not"] value |
// ["not"] flag. Columns in camelCase or snake_case; values are numbers, true, false, none, words or quoted strings.

import {
  type Condition,
  type Filter,
  type FilterOp,
  type RolloutColumn,
  rolloutColumns,
} from '../../contract/filter.ts';
import { err, ok, type Result } from '../../shared/result.ts';

export interface FilterProblem {
  /** What is wrong and what would be right. */
  readonly message: string;
  /** UTF-16 offset into the text. */
  readonly position: number;
}

type ValueKind = 'number' | 'text' | 'flag';

const numeric = new Set<RolloutColumn>([
  'trainingStep',
  'attempt',
  'reward',
  'segments',
  'executionSegments',
  'summarySegments',
  'compactions',
  'steps',
  'tokens',
  'trainableTokens',
  'markers',
  'score',
  'maxAbsAdvantage',
  'labels',
  'alerts',
]);

/** Other names by which people call a column. */
const aliases: ReadonlyMap<string, RolloutColumn> = new Map([
  ...rolloutColumns.map((column): [string, RolloutColumn] => [plain(column), column]),
  ['kind', 'topKind'],
  ['run', 'runId'],
  ['step', 'trainingStep'],
]);

const limit = 40;

/** Reads a filter. An empty text is the empty filter, which everything passes. */
export function parseFilter(text: string): Result<{ where: Filter }, FilterProblem> {
  const tokens = tokenise(text);
  if (!tokens.ok) return tokens;
  const reader = new Reader(tokens.value, text.length);
  const where: Condition[] = [];
  while (!reader.atEnd()) {
    if (where.length > 0 && !reader.take('and', '&&', ',')) {
      const { text: word, at } = reader.peek();
      const message = /^(?:or|\|\|)$/i.test(word)
        ? '"or" is not part of the filter language: all conditions must hold. Use two filters.'
        : `Expected "and" before "${word}".`;
      return err({ message, position: at });
    }
    const condition = readCondition(reader);
    if (!condition.ok) return condition;
    if (where.length === limit) {
      return err({ message: `A filter has at most ${limit} conditions.`, position: reader.peek().at });
    }
    where.push(condition.value);
  }
  return ok({ where });
}

/** Writes a filter so that `parseFilter` gives it back. */
export function formatFilter(where: Filter): string {
  return where.map(formatCondition).join(' and ');
}

function formatCondition({ column, op, value }: Condition): string {
  if (op === 'none' || op === 'some') return `${column} is ${op}`;
  return `${column} ${op} ${formatValue(value)}`;
}

function formatValue(value: Condition['value']): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return String(value);
  const bare = /^[\p{L}_][\p{L}\p{N}_./:@-]*$/u.test(value) && !reserved.test(value);
  return bare ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

const reserved = /^(?:and|or|not|is|none|some|null|true|false|contains|nan|infinity)$/i;

interface Token {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

const operators = /^(?:>=|<=|!=|!~|==|&&|\|\||[=<>~,!≥≤≠])/;

function tokenise(text: string): Result<Token[], FilterProblem> {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const c = text.charAt(i);
    if (/\s/.test(c)) {
      i++;
    } else if (c === '"' || c === "'") {
      const start = i++;
      let value = '';
      while (i < text.length && text[i] !== c) {
        if (text[i] === '\\' && i + 1 < text.length) i++;
        value += text.charAt(i++);
      }
      if (i >= text.length)
        return err({ message: `The string that begins here has no closing ${c}.`, position: start });
      i++;
      tokens.push({ text: value, at: start, quoted: true });
    } else {
      const operator = operators.exec(text.slice(i, i + 2))?.[0];
      const word = operator ?? /^[^\s"'=<>~,!≥≤≠&|]+/.exec(text.slice(i))?.[0] ?? c;
      tokens.push({ text: word, at: i, quoted: false });
      i += word.length;
    }
  }
  return ok(tokens);
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #at = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { text: '', at: this.#end, quoted: false };
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Takes the next token when it is one of these words, unquoted. */
  take(...words: readonly string[]): boolean {
    const { text, quoted } = this.peek();
    if (quoted || !words.includes(text.toLowerCase())) return false;
    this.#at++;
    return true;
  }
}

function readCondition(reader: Reader): Result<Condition, FilterProblem> {
  const negated = reader.take('not', '!');
  const name = reader.next();
  if (name.text === '')
    return err({ message: 'A condition is missing here, for example reward >= 0.5.', position: name.at });
  const column = aliases.get(plain(name.text));
  if (column === undefined || name.quoted) return err({ message: unknownColumn(name.text), position: name.at });
  const after = reader.peek();
  if (reader.atEnd() || (!after.quoted && /^(?:and|&&|,)$/i.test(after.text))) {
    if (kindOf(column) === 'flag') return ok({ column, op: '=', value: !negated });
    return err({
      message: `${column} needs an operator and a value, for example ${column} ${example(column)}.`,
      position: after.at,
    });
  }
  const operator = readOperator(reader, column);
  if (!operator.ok) return operator;
  if (operator.value === 'none' || operator.value === 'some') {
    const op = negated ? negate(operator.value) : operator.value;
    return ok({ column, op, value: null });
  }
  const value = readValue(reader, column, operator.value);
  if (!value.ok) return value;
  return ok({ column, op: negated ? negate(value.value.op) : value.value.op, value: value.value.value });
}

function readOperator(reader: Reader, column: RolloutColumn): Result<FilterOp, FilterProblem> {
  const token = reader.next();
  const word = token.quoted ? '' : token.text.toLowerCase();
  const negated = word === 'is' && reader.take('not');
  if (word === 'is') {
    if (reader.take('none', 'null', 'empty')) return ok(negated ? 'some' : 'none');
    if (reader.take('some', 'set')) return ok(negated ? 'none' : 'some');
    return ok(negated ? '!=' : '=');
  }
  const known: Readonly<Record<string, FilterOp>> = {
    '=': '=',
    '==': '=',
    '!=': '!=',
    '≠': '!=',
    '<': '<',
    '<=': '<=',
    '≤': '<=',
    '>': '>',
    '>=': '>=',
    '≥': '>=',
    '~': '~',
    '!~': '!~',
    contains: '~',
  };
  const op = Object.hasOwn(known, word) ? known[word] : undefined;
  if (op === undefined) {
    const message = `Expected an operator after ${column} (= != < <= > >= ~ !~, "is none", "is some")${token.text === '' ? '' : `, not "${token.text}"`}.`;
    return err({ message, position: token.at });
  }
  return ok(op);
}

function readValue(
  reader: Reader,
  column: RolloutColumn,
  op: FilterOp,
): Result<{ op: FilterOp; value: Condition['value'] }, FilterProblem> {
  const token = reader.next();
  if (token.text === '' && !token.quoted)
    return err({ message: `A value is missing after ${column} ${op}.`, position: token.at });
  const word = token.text.toLowerCase();
  if (!token.quoted && /^(?:none|null)$/.test(word)) {
    if (op === '=') return ok({ op: 'none', value: null });
    if (op === '!=') return ok({ op: 'some', value: null });
    return err({ message: `"${word}" goes with = or !=, or write ${column} is none.`, position: token.at });
  }
  const kind = kindOf(column);
  if (op === '~' || op === '!~') {
    if (kind !== 'text')
      return err({ message: `${column} holds no text; use = or a comparison instead of ${op}.`, position: token.at });
    return ok({ op, value: token.text });
  }
  if (kind === 'number') {
    const value = Number(token.text);
    if (token.text.trim() === '' || !Number.isFinite(value)) {
      return err({ message: `${column} is a number, and "${token.text}" is none.`, position: token.at });
    }
    return ok({ op, value });
  }
  if (kind === 'flag') {
    if (!/^(?:true|false|yes|no)$/.test(word))
      return err({ message: `${column} is true or false, not "${token.text}".`, position: token.at });
    if (op !== '=' && op !== '!=')
      return err({ message: `${column} is true or false: use = or !=.`, position: token.at });
    return ok({ op, value: word === 'true' || word === 'yes' });
  }
  return ok({ op, value: token.text });
}

function negate(op: FilterOp): FilterOp {
  const opposite: Record<FilterOp, FilterOp> = {
    '=': '!=',
    '!=': '=',
    '<': '>=',
    '<=': '>',
    '>': '<=',
    '>=': '<',
    '~': '!~',
    '!~': '~',
    none: 'some',
    some: 'none',
  };
  return opposite[op];
}

function kindOf(column: RolloutColumn): ValueKind {
  if (column === 'marked') return 'flag';
  return numeric.has(column) ? 'number' : 'text';
}

function example(column: RolloutColumn): string {
  return kindOf(column) === 'number' ? '> 0' : '= value';
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function unknownColumn(name: string): string {
  const bare = plain(name);
  const near = rolloutColumns.filter(
    (column) => distance(plain(column), bare) <= 2 || (bare.length >= 3 && plain(column).includes(bare)),
  );
  const hint =
    near.length > 0 ? `Did you mean ${near.slice(0, 3).join(', ')}?` : `Columns: ${rolloutColumns.join(', ')}.`;
  return `There is no column "${name}". ${hint}`;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
