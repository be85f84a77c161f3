// The report of imports, and what is asked about a file before it is imported: formats that fit, columns, a preview, bytes.

import { stat } from 'node:fs/promises';
import type { RawBytes } from '../../contract/imports.ts';
import { Refusal } from '../../shared/errors.ts';
import { mappingsSetting, savedMappings, withMapping } from '../imports/mappings.ts';
import type { Procedures } from './base.ts';

/** The handlers of `imports`. */
export function importsProcedures({ base, writable, services }: Procedures) {
  const { screen, work, writer, parser } = services.threads;
  const limits = services.options.limits ?? {};

  const mappings = async () => savedMappings(await screen.call('setting', { key: mappingsSetting }));
  async function placeOf(source: number) {
    const place = await screen.call('sourcePlace', { source });
    if (place !== null) return place;
    throw new Refusal('source-unknown', 'This file is no longer in the report.', 'Look at the list of imports again.');
  }

  return {
    list: base.imports.list.handler(() => screen.call('sources', undefined)),
    formats: base.imports.formats.handler(() => parser.call('formats', undefined)),
    candidates: base.imports.candidates.handler(async ({ input }) => {
      const { path } = await placeOf(input.source);
      return { path, ...(await parser.call('candidates', { path, limits })) };
    }),
    records: base.imports.records.handler(({ input }) => work.call('recordCounts', input)),
    inspect: base.imports.inspect.handler(({ input }) => parser.call('inspect', { path: input.path, limits })),
    preview: base.imports.preview.handler(({ input }) => parser.call('preview', { ...input, limits })),
    mappings: base.imports.mappings.handler(mappings),
    saveMapping: writable.imports.saveMapping.handler(async ({ input }) => {
      const saved = withMapping(await mappings(), input);
      await writer.call('setSetting', { key: mappingsSetting, value: JSON.stringify(saved) });
      return saved;
    }),
    removeMapping: writable.imports.removeMapping.handler(async ({ input }) => {
      const saved = (await mappings()).filter(({ name }) => name !== input.name);
      await writer.call('setSetting', { key: mappingsSetting, value: JSON.stringify(saved) });
      return saved;
    }),
    raw: base.imports.raw.handler(async ({ input }): Promise<RawBytes> => {
      const { path, size, mtimeMs } = await placeOf(input.source);
      const now = await stat(path).catch(() => null);
      const changed = now === null || now.size !== size || now.mtimeMs !== mtimeMs;
      try {
        const { bytes, size } = await parser.call('raw', { path, offset: input.offset, length: input.length, limits });
        const base64 = Buffer.from(bytes).toString('base64');
        return { path, from: 'file', changed, offset: input.offset, base64, size };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // The file is gone or cannot be read any more: what the workspace kept of it.
        const stored = await screen.call('storedRaw', { source: input.source, offset: input.offset });
        const base64 = Buffer.from(stored ?? '', 'utf8')
          .subarray(0, input.length)
          .toString('base64');
        return {
          path,
          from: stored === null ? 'none' : 'stored',
          changed: true,
          offset: input.offset,
          base64,
          size: null,
        };
      }
    }),
  };
}
