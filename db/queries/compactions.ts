// How many times the context of a rollout was rewritten.

import type { SegmentKind } from '../../app/contract/vocabulary.ts';

/**
 * Context rewrites of a rollout, from its segments in order: every segment with link `compaction`, and every summary segment
 * that no `compaction` segment follows before the next summary (a summary that was written and then not used).
 */
export function countCompactions(segments: readonly { kind: SegmentKind; link: string | null }[]): number {
  let count = 0;
  let waiting = 0;
  for (const { kind, link } of segments) {
    if (kind === 'summary') {
      count += waiting;
      waiting = 1;
    } else if (link === 'compaction') {
      count++;
      waiting = 0;
    }
  }
  return count + waiting;
}
