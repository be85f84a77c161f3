// The log formats that can be read, in the order in which equally sure recognisers win. One file per format; a new
// format is one more line here.

import type { Format } from '../source.ts';
import { format as atif } from './atif.ts';
import { format as chat } from './chat.ts';
import { format as claudeCode } from './claude-code.ts';
import { format as native } from './native.ts';
import { format as slime } from './slime.ts';

/** Every format, the most specific first. */
export const formats: readonly Format[] = [native, slime, atif, claudeCode, chat];

/** The format with an id; null for an unknown one. */
export function formatById(id: string): Format | null {
  return formats.find((format) => format.id === id) ?? null;
}
