// Versions of label schemas. A version is never changed; which one is in force is.

import type { ReadDb, WriteDb } from '../connection.ts';

export interface SchemaRow {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly yaml: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
}

const columns = `schema AS id, version, title, yaml, current, created_at AS createdAt, created_by AS createdBy`;

type Stored = Omit<SchemaRow, 'current'> & { readonly current: number };
const rowOf = (row: Stored): SchemaRow => ({ ...row, current: row.current === 1 });

/** All versions, newest first. */
export function labelSchemas(db: ReadDb): SchemaRow[] {
  return db
    .all<Stored>(`SELECT ${columns} FROM label_schemas ORDER BY created_at DESC, label_schemas.id DESC`)
    .map(rowOf);
}

/** Makes this text a version and the current one. The same text again only becomes current. */
export function saveLabelSchema(db: WriteDb, draft: Omit<SchemaRow, 'current'>): void {
  db.transaction(() => {
    addLabelSchema(db, draft);
    useLabelSchema(db, draft.id, draft.version, draft.yaml);
  });
}

/** Keeps a version without making it the current one; once by its text. Gives whether it was new. */
export function addLabelSchema(db: WriteDb, draft: Omit<SchemaRow, 'current'>): boolean {
  return (
    db.run(
      `INSERT INTO label_schemas (schema, version, title, yaml, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      draft.id,
      draft.version,
      draft.title,
      draft.yaml,
      draft.createdBy,
      draft.createdAt,
    ).changes > 0
  );
}

/** Makes a kept version the current one; an unknown version (the shipped one) leaves none current. */
export function useLabelSchema(db: WriteDb, id: string, version: string, yaml: string | null): void {
  db.run(
    'UPDATE label_schemas SET current = (schema = ? AND version = ? AND (? IS NULL OR yaml = ?))',
    id,
    version,
    yaml,
    yaml,
  );
}
