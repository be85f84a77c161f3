// The text form of a filter, as `--where` takes it.

import type { Filter } from '../../contract/index.ts';
import { parseFilter } from '../../engine/filter.ts';
import { UsageError } from './command.ts';

/** Parses a `--where` expression; no expression matches everything. @throws UsageError that points at the place. */
export function parseWhere(text: string | undefined): Filter {
  if (text === undefined || text.trim() === '') return [];
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.value.where;
  const { message, position } = parsed.error;
  throw new UsageError(`--where: ${message}\n  ${text}\n  ${' '.repeat(Math.max(0, position))}^`);
}
