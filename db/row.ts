// The one boundary where SQLite's untyped rows get their types. STRICT tables guarantee the storage class of every column
// and the CHECK constraints the members of every closed set, so that a row is what its query says; the queries beside the
// row types are the proof. No parsing on hot paths.

/** A value that can be bound to a statement. Typed arrays are stored as their bytes. */
export type SqlValue = null | number | bigint | string | Uint8Array | Int32Array | Float32Array | Float64Array;

/** Gives one row its type. The caller's query must select exactly the fields of `Row`. */
export function asRow<Row>(row: unknown): Row {
  // The named cast: `row` comes from SQLite, whose schema is STRICT.
  return row as Row;
}

/** Gives rows their type. The caller's query must select exactly the fields of `Row`. */
export function asRows<Row>(rows: readonly unknown[]): Row[] {
  // The named cast, as above.
  return rows as Row[];
}

/** A JSON text that this program itself wrote, back as the value it was. */
export function storedJson<Value>(text: string): Value {
  // The named cast: only for columns that only this program writes.
  return JSON.parse(text) as Value;
}
