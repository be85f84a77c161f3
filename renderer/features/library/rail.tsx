// The small rail of a table row: one block per segment, widths by tokens, summaries hatched.

import type { RolloutRow } from '../../../app/contract/index.ts';
import { formatTokens } from '../../ui/format.ts';

const mostBlocks = 60;

/** The rail. Read out as one sentence. */
export function Rail({ rail }: { readonly rail: RolloutRow['rail'] }) {
  const label = rail.map((segment, index) => `${index + 1} ${segment.kind} ${formatTokens(segment.tokens)}`).join(', ');
  return (
    <span className="rail" role="img" aria-label={label === '' ? 'no segments' : label} title={label}>
      {rail.slice(0, mostBlocks).map((segment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a segment of a rail has no other identity than its position
        <i key={index} className={segment.kind} style={{ flexGrow: Math.max(1, segment.tokens) }} />
      ))}
    </span>
  );
}
