// What the parser thread answers about a single file before (or long after) it is imported. Nothing is written.

import type { FileInspection, MappingPreview } from '../../contract/imports.ts';
import type { ColumnMapping } from '../../contract/mapping.ts';
import type { FormatCandidate } from '../../contract/records.ts';
import { formats } from '../../ingest/formats/index.ts';
import { defaultLimits, type Limits } from '../../ingest/limits.ts';
import { describeColumns, guessColumns } from '../../ingest/mapping-columns.ts';
import { previewMapping } from '../../ingest/mapping-preview.ts';
import { openSourceFile } from '../../ingest/open-file.ts';
import { readRaw } from '../../ingest/raw-bytes.ts';
import { readContext } from '../../ingest/read-group.ts';
import { candidatesOf, recognise } from '../../ingest/recognise.ts';
import { sniffFile } from '../../ingest/sniff.ts';
import { Refusal } from '../../shared/errors.ts';

interface FileArgs {
  readonly path: string;
  readonly limits: Partial<Limits>;
}

const limitsOf = (args: FileArgs): Limits => ({ ...defaultLimits, ...args.limits });

/** The handlers; part of the parser's. */
export const inquiries = {
  /** The formats that fit a file; `missing` when it cannot be opened any more. */
  async candidates(args: FileArgs): Promise<{ missing: boolean; candidates: FormatCandidate[] }> {
    const limits = limitsOf(args);
    try {
      const sniff = await sniffFile(await openSourceFile(args.path, limits), limits);
      return { missing: false, candidates: candidatesOf(recognise(sniff, formats)) };
    } catch (error) {
      if (error instanceof Refusal) return { missing: true, candidates: [] };
      throw error;
    }
  },

  /** The columns of a file, and what each most likely is. */
  async inspect(args: FileArgs): Promise<FileInspection> {
    const limits = limitsOf(args);
    const file = await openSourceFile(args.path, limits);
    const columns = await describeColumns(file, readContext(file, { limits }));
    return { path: args.path, columns, guess: guessColumns(columns) };
  },

  /** The first rollout as a mapping reads it. */
  async preview(args: FileArgs & { readonly mapping: ColumnMapping }): Promise<MappingPreview> {
    const limits = limitsOf(args);
    const file = await openSourceFile(args.path, limits);
    return previewMapping(file, args.mapping, readContext(file, { limits }));
  },

  /** Bytes of a file, decompressed. */
  async raw(args: FileArgs & { readonly offset: number; readonly length: number }): ReturnType<typeof readRaw> {
    return readRaw(args.path, args.offset, args.length, limitsOf(args));
  },
};
