// A forked Codex session begins with the history of its parent, written again with new times. The gate tells where the
// replay ends and the session's own first turn begins.

import { idText, text } from '../values.ts';
import type { CodexLine } from './codex-line.ts';

interface ForkGate {
  /** Looks at a line before it is read. */
  see(line: CodexLine, time: string | null): void;
  /** Whether the line just seen belongs to the replayed history. */
  replaying(): boolean;
}

/** Without turn ids: a turn that begins at least this long after the session's first line is its own. */
const replayMs = 1000;

/**
 * A session is forked when its first line says so, or when lines of another session follow it. Ids are UUIDs of
 * version 7, which begin with their time: a turn whose id is not older than the session's own id is its own.
 */
export function forkGate(): ForkGate {
  let own: string | null = null;
  let began: string | null = null;
  let replay = false;
  let ended = false;
  return {
    see: (line, time) => {
      if (line.kind === 'meta') {
        const id = idText(line.payload, 'id');
        if (own === null) {
          own = id;
          began = time;
          replay = text(line.payload, 'forked_from_id') !== null;
        } else if (id !== own && !ended) {
          replay = true;
        }
        return;
      }
      if (!replay) return;
      const turn =
        line.kind === 'turn-context' || (line.kind === 'event' && /^(?:task|turn)_started$/u.test(line.type));
      if (!turn) return;
      const turnId = text(line.payload, 'turn_id');
      const isOwn =
        turnId !== null && own !== null && isUuid7(turnId) && isUuid7(own)
          ? turnId >= own
          : time !== null && began !== null && Date.parse(time) - Date.parse(began) >= replayMs;
      if (!isOwn) return;
      replay = false;
      ended = true;
    },
    replaying: () => replay,
  };
}

function isUuid7(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/u.test(id);
}
