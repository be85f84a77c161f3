// YAML text of a label schema -> the schema, or what is wrong with it, each problem with its line.

import { isNode, LineCounter, parseDocument } from 'yaml';
import { type LabelSchema, labelSchema, type SchemaProblem } from '../../contract/label-schema.ts';
import { schemaFaults } from '../../domain/review/schema.ts';
import { messageOf } from '../../shared/errors.ts';

export interface CheckedSchema {
  /** The schema as far as it has the right shape; it can be used only when there are no problems. */
  readonly schema: LabelSchema | null;
  readonly problems: SchemaProblem[];
}

/** Reads a schema. Syntax errors, wrong fields, double entries and clashing keys come back as problems; nothing is thrown. */
export function parseSchema(yaml: string): CheckedSchema {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    // One slip of syntax makes the rest of the file unreadable: only the first errors say something.
    const problems = document.errors
      .slice(0, 3)
      .map((error) => ({ line: lines.linePos(error.pos[0]).line, message: `YAML: ${error.message}` }));
    return { schema: null, problems };
  }
  const lineOf = (path: readonly PropertyKey[]): number | null => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { schema: null, problems: [{ line: null, message: `YAML: ${messageOf(error)}` }] };
  }
  const parsed = labelSchema.safeParse(data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      line: lineOf(path),
      message: `${path.map(String).join('.') || 'schema'}: ${message}`,
    }));
    return { schema: null, problems };
  }
  const problems = schemaFaults(parsed.data).map(({ path, message }) => ({ line: lineOf(path), message }));
  return { schema: parsed.data, problems };
}
