// The label schema in force: the workspace's current one, or the shipped one before there is one.

import type { LabelSchema, StoredSchema } from '../../contract/label-schema.ts';
import { defined } from '../../shared/assert.ts';
import { Refusal } from '../../shared/errors.ts';
import type { ReaderApi } from '../threads/reader.ts';
import type { ThreadClient } from '../threads/rpc.ts';
import { defaultSchemaYaml } from './schema-default.ts';
import { parseSchema } from './schema-parse.ts';

type Reader = ThreadClient<ReaderApi>;

/** Parses a schema. @throws Refusal `schema-invalid` naming the first problem and its line. */
export function loadSchema(yaml: string): LabelSchema {
  const { schema, problems } = parseSchema(yaml);
  const [first] = problems;
  if (schema !== null && first === undefined) return schema;
  const line = first === undefined || first.line === null ? '' : `Line ${first.line}: `;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new Refusal(
    'schema-invalid',
    `${line}${first?.message ?? 'The label schema is not valid'}${more}`,
    'Correct the schema and save again.',
  );
}

let shipped: LabelSchema | undefined;
/** Parsed schemas by their text: every label asks for the one in force. */
const parsed = new Map<string, LabelSchema | null>();

function parsedOnce(yaml: string): LabelSchema | null {
  const known = parsed.get(yaml);
  if (known !== undefined) return known;
  const { schema } = parseSchema(yaml);
  parsed.set(yaml, schema);
  return schema;
}

/** All versions that are kept, newest first, the shipped one last. */
export async function allSchemas(reader: Reader): Promise<StoredSchema[]> {
  const rows = await reader.call('labelSchemas', undefined);
  shipped ??= loadSchema(defaultSchemaYaml);
  const { id, version, title } = shipped;
  const stored = rows.flatMap((row): StoredSchema[] => {
    // A schema of another version of the program may not parse any more; it is then not offered.
    const schema = parsedOnce(row.yaml);
    return schema === null ? [] : [{ ...row, schema }];
  });
  return [
    ...stored,
    {
      id,
      version,
      title,
      yaml: defaultSchemaYaml,
      schema: shipped,
      current: !stored.some(({ current }) => current),
      createdAt: null,
      createdBy: null,
    },
  ];
}

/** The schema in force. */
export async function currentSchema(reader: Reader): Promise<StoredSchema> {
  const found = (await allSchemas(reader)).find(({ current }) => current);
  return defined(found, 'a current label schema');
}

/** A certain version. @throws Refusal `schema-unknown`. */
export async function schemaOf(reader: Reader, id: string, version: string): Promise<StoredSchema> {
  const found = (await allSchemas(reader)).find((each) => each.id === id && each.version === version);
  if (found === undefined) {
    throw new Refusal(
      'schema-unknown',
      `There is no version ${version} of the label schema ${id}.`,
      'Look at the list of schemas.',
    );
  }
  return found;
}
