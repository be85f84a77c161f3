// The limits of the importer as options. A message that names a limit names its option.

import type { EngineOptions } from '../../engine/engine.ts';
import { numberOption, type Option } from './command.ts';

type Limits = NonNullable<EngineOptions['limits']>;

const meanings = {
  lineBytes: 'longest line of a JSONL file, bytes',
  documentBytes: 'largest JSON document that is read whole, bytes',
  nesting: 'deepest nesting of a record',
  zipEntries: 'members of a zip archive',
  decompressedBytes: 'decompressed bytes of one file',
  decompressionRatio: 'ratio of decompressed to compressed bytes',
  pickleOpcodes: 'opcodes of a pickle',
  pickleValues: 'values of a pickle',
  alertsKept: 'alerts kept one by one per file',
} as const satisfies Record<keyof Limits, string>;

type LimitName = keyof typeof meanings;
// Boundary: Object.keys gives string[] by its type; these are the keys of the object above.
const names = Object.keys(meanings) as LimitName[];

function optionName(name: LimitName): string {
  return `limit-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `--limit-line-bytes N` and its like. */
export const limitOptions: Readonly<Record<string, Option>> = Object.fromEntries(
  names.map((name): [string, Option] => [optionName(name), { type: 'string', value: 'N', help: meanings[name] }]),
);

/** The limits that were given. @throws UsageError for what is no number. */
export function limitsOf(values: Readonly<Record<string, unknown>>): Limits {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of names) {
    const given = values[optionName(name)];
    const value = numberOption(optionName(name), typeof given === 'string' ? given : undefined, {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    });
    if (value !== null) limits[name] = value;
  }
  return limits;
}
