// Every limit of the importer: name, default, meaning. A reader that hits one says which, and which flag raises it.

import { Refusal } from '../shared/errors.ts';

export interface Limits {
  /** Longest line of a JSONL file, bytes. */
  readonly lineBytes: number;
  /** Largest single JSON document that is parsed whole, bytes. */
  readonly documentBytes: number;
  /** Deepest nesting of arrays and objects in a record. */
  readonly nesting: number;
  /** Members of a zip archive. */
  readonly zipEntries: number;
  /** Decompressed bytes of one archive or compressed stream. */
  readonly decompressedBytes: number;
  /** Largest allowed ratio of decompressed to compressed bytes, above the first 10 MB. */
  readonly decompressionRatio: number;
  /** Opcodes of a pickle. */
  readonly pickleOpcodes: number;
  /** Values that a pickle may hold when shared references are expanded. */
  readonly pickleValues: number;
  /** Alerts kept one by one per file; further ones are only counted. */
  readonly alertsKept: number;
}

export const defaultLimits: Limits = {
  lineBytes: 256 * 1024 * 1024,
  documentBytes: 256 * 1024 * 1024,
  nesting: 200,
  zipEntries: 100_000,
  decompressedBytes: 64 * 1024 * 1024 * 1024,
  decompressionRatio: 1_000,
  pickleOpcodes: 50_000_000,
  pickleValues: 50_000_000,
  alertsKept: 200,
};

const flags: Record<keyof Limits, string> = {
  lineBytes: '--limit-line-bytes',
  documentBytes: '--limit-document-bytes',
  nesting: '--limit-nesting',
  zipEntries: '--limit-zip-entries',
  decompressedBytes: '--limit-decompressed-bytes',
  decompressionRatio: '--limit-decompression-ratio',
  pickleOpcodes: '--limit-pickle-opcodes',
  pickleValues: '--limit-pickle-values',
  alertsKept: '--limit-alerts-kept',
};

/** The command-line flag that raises a limit. */
export function limitFlag(name: keyof Limits): string {
  return flags[name];
}

/** The refusal for a limit that was hit, naming the limit, its value and the flag that raises it. */
export function limitRefusal(name: keyof Limits, limits: Limits, where: string): Refusal {
  return new Refusal(
    'limit-exceeded',
    `${where}: the limit ${name} (${limits[name]}) was exceeded.`,
    `Raise it with ${flags[name]} if you trust the file.`,
  );
}
