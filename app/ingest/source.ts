// What a format reader is given: one source (a file, or a set of files that belong together) and a way to read it.

import type { IngestEvent } from '../contract/ingest.ts';
import type { Limits } from './limits.ts';

/** One file of a source. Bytes are read through `open`, already decompressed (gzip, zstd by their magic bytes). */
export interface SourceFile {
  /** Absolute path, or `-` for standard input. A label: readers open the file only through `open`. */
  readonly path: string;
  /** File name without folder. */
  readonly name: string;
  /** Size on disk in bytes; null for standard input. */
  readonly size: number | null;
  /**
   * Decompressed bytes in chunks. `onCompressed` is told how many bytes of the file on disk were consumed. With `reuse` a
   * chunk holds its bytes only until the next one is asked for: a long file then makes no garbage.
   */
  open(onCompressed?: (bytes: number) => void, reuse?: boolean): AsyncIterable<Uint8Array>;
  /** Random access to the bytes as stored (zip containers). Throws a Refusal for standard input. */
  readRange(start: number, end: number): Promise<Uint8Array>;
}

/** The first 64 KiB (decompressed) of a file and what is known about it, for recognising the format. */
export interface Sniff {
  readonly file: SourceFile;
  readonly head: Uint8Array;
  /** `head` as UTF-8 text, a BOM removed. */
  readonly text: string;
  /** Parsed JSON of the first non-empty complete lines (up to 50); lines that do not parse are left out. */
  readonly lines: readonly unknown[];
  /** The whole file parsed, when it is one JSON document that fits into the head; else undefined. */
  readonly whole: unknown;
  /** True when the head is the whole file. */
  readonly complete: boolean;
  /**
   * The beginning of a JSON document that is larger than the head, read as if it ended where the head ends (the last
   * value that was cut is left out); undefined when `whole` is set or the head is no beginning of one JSON value.
   */
  readonly prefix?: unknown;
  /** The footer of a Parquet file that is larger than the head, with its length and magic; absent for anything else. */
  readonly tail?: Uint8Array;
}

/** How sure a format is, 0 to 1, and why in a few words that a person can check. */
export interface Detection {
  readonly confidence: number;
  readonly reason: string;
  readonly version?: string;
}

export interface ReadContext {
  readonly limits: Limits;
  /** Other files of the same folder, for formats that spread a rollout over several files. Bytes only through `open`. */
  sibling(name: string): Promise<SourceFile | null>;
  /** Throws a Refusal('cancelled') once the import was cancelled; readers call it per record. */
  checkCancelled(): void;
}

/** One log format: a file under `formats/`. */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** Recognises the format by content, never by extension. Null when it is certainly not this format. */
  detect(sniff: Sniff): Detection | null;
  /**
   * Groups the files of one import into sources: a file that is part of another file's rollout (a continuation, a
   * sub-agent, a train dump) is listed under it. Default: every file is its own source. Gets the files detected as this format.
   */
  group?(files: readonly SourceFile[]): Promise<readonly SourceGroup[]>;
  read(group: SourceGroup, context: ReadContext): AsyncIterable<IngestEvent>;
}

/** A main file and the files that are part of it. */
export interface SourceGroup {
  readonly main: SourceFile;
  readonly parts: readonly SourceFile[];
}
