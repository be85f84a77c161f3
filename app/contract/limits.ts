// The limits of the importer: what each is for, its default and the flag that raises it. One table for the importer, the
// command line and the Settings screen.

import { z } from 'zod';

interface LimitInfo {
  readonly default: number;
  readonly unit: 'bytes' | 'count';
  readonly meaning: string;
}

const mebibyte = 1024 * 1024;

/** Every limit by name. */
export const limitTable = {
  lineBytes: { default: 256 * mebibyte, unit: 'bytes', meaning: 'longest line of a JSONL or CSV file' },
  documentBytes: { default: 256 * mebibyte, unit: 'bytes', meaning: 'largest JSON document that is read whole' },
  nesting: { default: 200, unit: 'count', meaning: 'deepest nesting of a record' },
  arrayItems: { default: 50_000_000, unit: 'count', meaning: 'elements of one array of a JSON record' },
  zipEntries: { default: 100_000, unit: 'count', meaning: 'members of a zip archive' },
  decompressedBytes: { default: 64 * 1024 * mebibyte, unit: 'bytes', meaning: 'decompressed bytes of one file' },
  decompressionRatio: {
    default: 1_000,
    unit: 'count',
    meaning: 'decompressed bytes for one compressed byte, above the first 10 MB',
  },
  pickleOpcodes: { default: 50_000_000, unit: 'count', meaning: 'opcodes of a pickle' },
  pickleValues: { default: 50_000_000, unit: 'count', meaning: 'values of a pickle, an array or a Parquet column' },
  headerBytes: {
    default: 64 * mebibyte,
    unit: 'bytes',
    meaning: 'footer of a Parquet or header of a safetensors file',
  },
  tableColumns: { default: 4_000, unit: 'count', meaning: 'columns of a table of token records or rewards' },
  joinRows: { default: 5_000_000, unit: 'count', meaning: 'rows of a table of rewards' },
  alertsKept: { default: 200, unit: 'count', meaning: 'alerts kept one by one per file; further ones are counted' },
} as const satisfies Record<string, LimitInfo>;

export type LimitName = keyof typeof limitTable;

// Boundary: Object.keys gives string[] by its type; these are the keys of the table above.
export const limitNames = Object.keys(limitTable) as readonly LimitName[];

/** The option of the command line that raises a limit, without its dashes: `limit-line-bytes`. */
export function limitOption(name: LimitName): string {
  return `limit-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The limits that were given, on any way in. */
export type GivenLimits = Partial<Record<LimitName, number>>;

/** Given limits as arguments of a command line, each in one piece. */
export function limitArguments(given: GivenLimits): string[] {
  return limitNames.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [`--${limitOption(name)}=${value}`];
  });
}

/** The same back again: the limit that an argument `--limit-NAME=N` gives; null for any other argument. */
export function limitArgument(argument: string): { readonly name: LimitName; readonly value: number } | null {
  const [option, text = ''] = argument.split('=');
  const name = limitNames.find((each) => option === `--${limitOption(each)}`);
  return name === undefined || !/^[1-9]\d{0,15}$/u.test(text) ? null : { name, value: Number(text) };
}

/** A limit as it stands now. */
export const limitState = z.object({
  name: z.string(),
  value: z.number(),
  default: z.number(),
  unit: z.enum(['bytes', 'count']),
  meaning: z.string(),
  /** The flag of `import`, `open`, `start` and `serve` that changes it. */
  flag: z.string(),
});
export type LimitState = z.infer<typeof limitState>;

/** All limits with the values in force. */
export function limitStates(given: GivenLimits): LimitState[] {
  return limitNames.map((name) => ({
    name,
    value: given[name] ?? limitTable[name].default,
    default: limitTable[name].default,
    unit: limitTable[name].unit,
    meaning: limitTable[name].meaning,
    flag: `--${limitOption(name)}`,
  }));
}
