// Mappings of columns: read from a file (YAML or JSON), and kept by name in the workspace.

import { parse } from 'yaml';
import { z } from 'zod';
import { type SavedMapping, savedMapping } from '../../contract/imports.ts';
import { type ColumnMapping, columnMapping } from '../../contract/mapping.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';

const example = 'A mapping is: columns: {token_ids: NAME, reward: NAME, …}; docs/guide.md lists the roles.';

/** The mapping in a text. Throws Refusal('mapping-invalid') that says where the text is wrong; `name` is the file. */
export function parseMapping(text: string, name: string): ColumnMapping {
  let value: unknown;
  try {
    // JSON is YAML.
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw new Refusal('mapping-invalid', `${name} cannot be read: ${messageOf(error)}`, example);
  }
  const result = columnMapping.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal('mapping-invalid', `${name}: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`, example);
}

/** The setting that keeps the mappings of a workspace. */
export const mappingsSetting = 'column-mappings';

/** The mappings of a setting's value, by name; none where it cannot be read. */
export function savedMappings(setting: string | null): SavedMapping[] {
  if (setting === null) return [];
  const result = z.array(savedMapping).safeParse(JSON.parse(setting));
  return result.success ? result.data : [];
}

/** The mappings with one put in by its name, in order of name. */
export function withMapping(mappings: readonly SavedMapping[], added: SavedMapping): SavedMapping[] {
  return [...mappings.filter(({ name }) => name !== added.name), added].toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
}
