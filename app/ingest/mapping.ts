// A mapping applied: columns of any name under the names by which token records are read. What the mapping does not name is
// kept beside the record under a name that nothing reads; a value of the wrong type is said with its column.

import type { Place } from '../contract/ingest.ts';
import { type ColumnMapping, type MappingRole, mappingRoleNames, mappingRoles } from '../contract/mapping.ts';
import { Refusal } from '../shared/errors.ts';
import { alertOf, clip } from './emit.ts';
import { isKnownName } from './formats/token-records-names.ts';
import type { Cell } from './formats/token-records-row.ts';
import { isNumbers, numbersIn, type Report } from './formats/trainer-columns.ts';
import type { NumberArray } from './numbers.ts';
import { get, isArray, isObject, type JsonObject } from './values.ts';

/** The name under which a role is read, where it is not the role's own. */
const readAs: Partial<Record<MappingRole, string>> = {
  'logprobs.rollout': 'rollout_log_probs',
  'logprobs.train': 'train_log_probs',
  'logprobs.old': 'old_log_probs',
  'logprobs.ref': 'ref_log_probs',
  rewards: 'token_rewards',
  rollout: 'rollout_id',
  sample: 'sample_id',
  group: 'group_id',
  task: 'task_id',
  run: 'run_id',
};

/** The roles that a mapping fills, with their columns, in the order of the table of roles. */
export function mappedRoles(mapping: ColumnMapping): readonly (readonly [role: MappingRole, column: string])[] {
  return mappingRoleNames.flatMap((role): [MappingRole, string][] => {
    const column = mapping.columns[role];
    return column === undefined ? [] : [[role, column]];
  });
}

/**
 * Refuses a file that has none of a mapping's columns. `columns` are those of the file as far as it was looked at; a dot
 * in a name reaches into objects.
 * @throws Refusal `mapping-column-missing`, naming the column.
 */
export function checkMapping(mapping: ColumnMapping, columns: readonly string[], file: string): void {
  const known = new Set(columns);
  for (const [role, column] of mappedRoles(mapping)) {
    if (known.has(column) || known.has(column.split('.')[0] ?? column)) continue;
    const shown = columns.slice(0, 12).map((name) => clip(name, 60));
    throw new Refusal(
      'mapping-column-missing',
      `${file}: the mapping takes ${role} from the column "${clip(column, 120)}", which the file does not have.`,
      `Its columns are ${shown.join(', ')}${columns.length > shown.length ? ` and ${columns.length - shown.length} more` : ''}.`,
    );
  }
}

/** The cells of a row under the names by which they are read. */
export function mapRow(
  row: JsonObject,
  mapping: ColumnMapping,
  label: string,
  place: Place,
  report: Report,
): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>();
  const used = new Set<string>();
  for (const [role, column] of mappedRoles(mapping)) {
    const value = cellAt(row, column);
    if (value === undefined || value === null) continue;
    const wrong = mismatch(role, value);
    if (wrong === null) {
      used.add(column);
      cells.set(readAs[role] ?? role, value);
      continue;
    }
    const message = `${label}: the column "${clip(column, 120)}" (${role}) holds ${wrong}, not ${wanted[mappingRoles[role].takes]}; it was kept and not interpreted.`;
    report(alertOf('mapping-column-type', 'warning', message, { place }));
  }
  for (const [name, value] of Object.entries(row)) if (!used.has(name)) cells.set(unmappedName(name), value);
  return withoutPadding(cells);
}

/** Arrays of a batch under the names by which they are read. */
export function mapArrays(
  arrays: ReadonlyMap<string, NumberArray>,
  mapping: ColumnMapping,
): ReadonlyMap<string, NumberArray> {
  const roles = mappedRoles(mapping);
  const used = new Set(roles.map(([, column]) => column));
  const mapped = new Map<string, NumberArray>();
  for (const [role, column] of roles) {
    const values = arrays.get(column);
    if (values !== undefined) mapped.set(readAs[role] ?? role, values);
  }
  for (const [name, values] of arrays) if (!used.has(name)) mapped.set(unmappedName(name), values);
  return mapped;
}

/** A column by its name, or by a path of keys with dots between them. */
export function cellAt(row: JsonObject, column: string): Cell | undefined {
  const own = get(row, column);
  if (own !== undefined || !column.includes('.')) return own;
  let at: Cell | undefined = row;
  for (const key of column.split('.')) {
    if (isNumbers(at) || !isObject(at)) return undefined;
    at = get(at, key);
  }
  return at;
}

function unmappedName(name: string): string {
  return isKnownName(name) ? `${name} (not mapped)` : name;
}

const wanted: Record<(typeof mappingRoles)[MappingRole]['takes'], string> = {
  ids: 'a list of whole numbers from 0',
  numbers: 'a list of numbers',
  number: 'one number',
  id: 'a text or a number',
  text: 'a text',
  messages: 'a list of messages',
};

/** What a value is instead of what its role takes; null when it fits. */
function mismatch(role: MappingRole, value: Cell): string | null {
  const kind = valueKind(value);
  switch (mappingRoles[role].takes) {
    case 'ids':
      return kind === 'a list of whole numbers' ? null : kind;
    case 'numbers':
      return kind.startsWith('a list of') && kind.endsWith('numbers') ? null : kind;
    case 'number':
      return kind === 'a number' || kind === 'true or false' ? null : kind;
    case 'id':
      return kind === 'a number' || kind === 'a text' ? null : kind;
    case 'text':
      return kind === 'a text' ? null : kind;
    case 'messages':
      return kind === 'a list of objects' ? null : kind;
  }
}

/** What a value is, in words. */
export function valueKind(value: Cell): string {
  if (isNumbers(value))
    return value instanceof Int32Array || value instanceof Uint8Array ? 'a list of whole numbers' : 'a list of numbers';
  if (value === null) return 'nothing';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (!isArray(value)) return 'an object';
  if (value.length === 0) return 'an empty list';
  if (isObject(value[0])) return 'a list of objects';
  if (isArray(value[0])) return 'a list of lists';
  if (typeof value[0] === 'string') return 'a list of texts';
  const numbers = numbersIn(value);
  if (numbers === null || numbers.odd > 0) return 'a mixed list';
  return numbers.data instanceof Int32Array ? 'a list of whole numbers' : 'a list of numbers';
}

/** Takes padded positions out of every list that is as long as the attention mask. */
function withoutPadding(cells: Map<string, Cell>): ReadonlyMap<string, Cell> {
  const mask = listOf(cells.get('attention_mask'));
  if (mask === null || mask.every((value) => value > 0)) return cells;
  for (const [name, value] of cells) {
    const list = listOf(value);
    if (list === null || list.length !== mask.length || name === 'attention_mask') continue;
    cells.set(
      name,
      [...list].flatMap((element, i) => ((mask[i] ?? 0) > 0 ? [Number.isNaN(element) ? null : element] : [])),
    );
  }
  cells.delete('attention_mask');
  return cells;
}

function listOf(
  value: Cell | undefined,
): (ArrayLike<number> & Iterable<number> & { every(test: (n: number) => boolean): boolean }) | null {
  if (isNumbers(value)) return value;
  const read = numbersIn(value);
  return read === null || read.odd > 0 ? null : read.data;
}
