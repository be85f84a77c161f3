// The little that the shell remembers between runs: where the window stood and which folder the dialog showed last.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const desktopState = z.object({
  /** Pixels of the screen; null before the first run. */
  bounds: z
    .object({
      x: z.number().int(),
      y: z.number().int(),
      width: z.number().int().min(1),
      height: z.number().int().min(1),
    })
    .nullable()
    .catch(null),
  maximised: z.boolean().catch(false),
  lastFolder: z.string().nullable().catch(null),
});
type DesktopState = z.infer<typeof desktopState>;

const empty: DesktopState = { bounds: null, maximised: false, lastFolder: null };

export interface StateFile {
  readonly current: DesktopState;
  update(patch: Partial<DesktopState>): void;
}

/** Opens the state file. One that cannot be read or understood counts as empty; one that cannot be written is let go. */
export function openState(file: string): StateFile {
  let current = read(file);
  return {
    get current() {
      return current;
    },
    update(patch) {
      current = { ...current, ...patch };
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(`${file}.new`, `${JSON.stringify(current, null, 2)}\n`);
        renameSync(`${file}.new`, file);
      } catch {
        // Losing the window's place is no reason to disturb anybody.
      }
    },
  };
}

function read(file: string): DesktopState {
  try {
    const parsed = desktopState.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : empty;
  } catch {
    return empty;
  }
}
