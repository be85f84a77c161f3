// Token records whose columns a mapping names: JSON lines, Parquet, npz and safetensors. Not in the list of formats: a file is
// read like this only because a person said which column is which.

import type { IngestEvent } from '../../contract/ingest.ts';
import type { ColumnMapping } from '../../contract/mapping.ts';
import { isArrayBatch, readArrayBatch } from '../array-batch.ts';
import { alertEvent } from '../emit.ts';
import { checkMapping, mapArrays, mapRow } from '../mapping.ts';
import { columnNames } from '../mapping-columns.ts';
import type { Format, ReadContext, SourceGroup } from '../source.ts';
import { batchDefaults } from './safetensors.ts';
import { readTokenRecords } from './token-records.ts';
import { batchEvents } from './token-records-batch.ts';

/** The format that reads by a mapping. */
export function mappedFormat(mapping: ColumnMapping): Format {
  const name = mapping.name === undefined ? 'a mapping' : `the mapping "${mapping.name}"`;
  return {
    id: 'mapped-records',
    title: 'Token records by a mapping',
    detect: () => ({
      confidence: 1,
      reason: `the columns are named by ${name}`,
      ...(mapping.name === undefined ? {} : { version: mapping.name }),
    }),
    read: (group, context) => read(group, context, mapping),
  };
}

async function* read(group: SourceGroup, context: ReadContext, mapping: ColumnMapping): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const head = main.size === null ? new Uint8Array() : await main.readRange(0, Math.min(1024, main.size));
  if (isArrayBatch(head)) {
    const batch = await readArrayBatch(main, context, (names) => checkMapping(mapping, names, main.name));
    for (const alert of batch.alerts) yield alertEvent(alert);
    const arrays = mapArrays(batch.arrays, mapping);
    yield* batchEvents({ name: main.name, arrays, defaults: batchDefaults(main, batch.metadata) });
    return;
  }
  checkMapping(mapping, await columnNames(main, context), main.name);
  yield* readTokenRecords(group, context, (row, label, place, report) => mapRow(row, mapping, label, place, report));
}
