// The limits of the importer as options. A message that names a limit names its option.

import { type GivenLimits, limitNames, limitOption, limitTable } from '../../contract/index.ts';
import { numberOption, type Option } from './command.ts';

/** `--limit-line-bytes N` and its like. */
export const limitOptions: Readonly<Record<string, Option>> = Object.fromEntries(
  limitNames.map((name): [string, Option] => {
    const { meaning, unit, default: usual } = limitTable[name];
    const help = `${meaning}${unit === 'bytes' ? ', bytes' : ''} (${usual})`;
    return [limitOption(name), { type: 'string', value: 'N', help }];
  }),
);

/** The limits that were given. @throws UsageError for what is no number. */
export function limitsOf(values: Readonly<Record<string, unknown>>): GivenLimits {
  const limits: GivenLimits = {};
  for (const name of limitNames) {
    const given = values[limitOption(name)];
    const value = numberOption(limitOption(name), typeof given === 'string' ? given : undefined, {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    });
    if (value !== null) limits[name] = value;
  }
  return limits;
}
