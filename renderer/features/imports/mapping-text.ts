// Mappings as they are edited and as they leave the app. Pure.

import {
  type ColumnMapping,
  columnMapping,
  type FileColumn,
  type MappingRole,
  mappingRoleNames,
  type SavedMapping,
} from '../../../app/contract/index.ts';

export type Columns = ColumnMapping['columns'];

/** The mapping of the chosen columns; null while no column has the token ids. */
export function mappingOf(columns: Columns, name: string): ColumnMapping | null {
  const result = columnMapping.safeParse({ columns, ...(name.trim() === '' ? {} : { name: name.trim() }) });
  return result.success ? result.data : null;
}

/** The columns with one role given another column, or none. */
export function withRole(columns: Columns, role: MappingRole, column: string | null): Columns {
  const { [role]: _before, ...rest } = columns;
  return column === null ? rest : { ...rest, [role]: column };
}

/** The kept mapping whose columns are all in the file: the one with the most of them. */
export function fittingMapping(saved: readonly SavedMapping[], columns: readonly FileColumn[]): SavedMapping | null {
  const names = new Set(columns.map(({ name }) => name));
  const fits = saved.filter((mapping) => Object.values(mapping.columns).every((column) => names.has(column)));
  return fits.toSorted((a, b) => Object.keys(b.columns).length - Object.keys(a.columns).length)[0] ?? null;
}

/** The mapping as a file for `rollscope import --mapping`: YAML whose texts are written as JSON writes them. */
export function mappingYaml({ name, columns }: ColumnMapping): string {
  const lines = mappingRoleNames.flatMap((role) => {
    const column = columns[role];
    return column === undefined ? [] : [`  ${role}: ${JSON.stringify(column)}`];
  });
  return [
    ...(name === undefined ? [] : [`name: ${JSON.stringify(name)}`]),
    'version: 1',
    'columns:',
    ...lines,
    '',
  ].join('\n');
}
