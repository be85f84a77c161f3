// The text form of a filter, for `--where` and the filter box: `reward >= 0.5 and (label is none or label = clean)`.
// Grammar: filter = all { ("or" | "||") all }; all = term { ("and" | "&&" | ",") term }; term = ["not"] "(" filter ")" |
// condition; condition = column op value | column "is" ["not"] value | ["not"] flag. "and" binds closer than "or". Columns in
// camelCase or snake_case; values are numbers, true, false, none, words or quoted strings.

import {
  type Clause,
  type Condition,
  type Filter,
  type FilterOp,
  filterLimits,
  type RolloutColumn,
  rolloutColumns,
} from '../../contract/filter.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type FilterProblem, Reader, tokenise } from './tokens.ts';

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
  ['run', 'runId'],
  ['step', 'trainingStep'],
]);

const flags = new Set<RolloutColumn>(['marked', 'attempted', 'succeeded', 'used', 'standing']);

/** Reads a filter. An empty text is the empty filter, which everything passes. */
export function parseFilter(text: string): Result<{ where: Filter }, FilterProblem> {
  const tokens = tokenise(text);
  if (!tokens.ok) return tokens;
  const reader = new Reader(tokens.value, text.length);
  if (reader.atEnd()) return ok({ where: [] });
  const read = readAny(reader, 0);
  if (!read.ok) return read;
  const { text: word, at } = reader.peek();
  if (!reader.atEnd()) {
    const message = word === ')' ? 'This ")" closes nothing.' : `Expected "and" or "or" before "${word}".`;
    return err({ message, position: at });
  }
  return ok({ where: read.value });
}

/** Writes a filter so that `parseFilter` gives it back. */
export function formatFilter(where: Filter): string {
  const [only, ...more] = where;
  if (only !== undefined && more.length === 0 && 'any' in only) return formatAlternatives(only.any);
  return where.map(formatClause).join(' and ');
}

function formatClause(clause: Clause): string {
  return 'any' in clause ? `(${formatAlternatives(clause.any)})` : formatCondition(clause);
}

function formatAlternatives(any: readonly Filter[]): string {
  return any.map(formatFilter).join(' or ');
}

/** One alternative, or several as one clause; alternatives within alternatives are alternatives. */
function joined(options: readonly Filter[]): Filter {
  const flat = options.flatMap((option) => {
    const [only, ...more] = option;
    return only !== undefined && more.length === 0 && 'any' in only ? only.any : [option];
  });
  const [first, ...more] = flat;
  return first !== undefined && more.length === 0 ? first : [{ any: flat }];
}

/** What holds where the filter does not, by De Morgan; a condition becomes its opposite. */
function opposite(where: Filter): Filter {
  return joined(
    where.map(
      (clause): Filter => ('any' in clause ? clause.any.flatMap(opposite) : [{ ...clause, ...opposed(clause) }]),
    ),
  );
}

function opposed({ op, value }: Condition): Pick<Condition, 'op' | 'value'> {
  return typeof value === 'boolean' && op === '=' ? { op, value: !value } : { op: negate(op), value };
}

function readAny(reader: Reader, depth: number): Result<Filter, FilterProblem> {
  const options: Filter[] = [];
  do {
    const option = readAll(reader, depth);
    if (!option.ok) return option;
    options.push(option.value);
  } while (reader.take('or', '||'));
  return ok(joined(options));
}

function readAll(reader: Reader, depth: number): Result<Filter, FilterProblem> {
  const clauses: Clause[] = [];
  do {
    const read = readTerm(reader, depth);
    if (!read.ok) return read;
    clauses.push(...read.value);
  } while (reader.take('and', '&&', ','));
  return ok(clauses);
}

function readTerm(reader: Reader, depth: number): Result<Filter, FilterProblem> {
  const negated = reader.take('not', '!');
  const open = reader.peek();
  if (reader.take('(')) {
    if (depth === filterLimits.depth) {
      return err({ message: `Parentheses stand at most ${filterLimits.depth} deep.`, position: open.at });
    }
    const inner = readAny(reader, depth + 1);
    if (!inner.ok) return inner;
    if (!reader.take(')')) {
      const { text: word, at } = reader.peek();
      const message = reader.atEnd()
        ? 'The "(" that begins here has no closing ")".'
        : `Expected "and", "or" or ")" before "${word}".`;
      return err({ message, position: reader.atEnd() ? open.at : at });
    }
    return ok(negated ? opposite(inner.value) : inner.value);
  }
  if (!reader.count()) {
    return err({ message: `A filter has at most ${filterLimits.conditions} conditions.`, position: open.at });
  }
  const condition = readCondition(reader, negated);
  return condition.ok ? ok([condition.value]) : condition;
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

function readCondition(reader: Reader, negated: boolean): Result<Condition, FilterProblem> {
  const name = reader.next();
  if (name.text === '' || (name.text === ')' && !name.quoted))
    return err({ message: 'A condition is missing here, for example reward >= 0.5.', position: name.at });
  const column = aliases.get(plain(name.text));
  if (column === undefined || name.quoted) return err({ message: unknownColumn(name.text), position: name.at });
  const after = reader.peek();
  if (reader.atEnd() || (!after.quoted && /^(?:and|or|&&|\|\||,|\))$/i.test(after.text))) {
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
  if (flags.has(column)) return 'flag';
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
