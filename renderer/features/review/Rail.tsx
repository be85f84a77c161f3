// The segments of the rollout in proportion to their tokens, as buttons, with a tick where evidence is.

import type { ReactNode } from 'react';
import type { SegmentRow } from '../../../app/contract/index.ts';
import { formatTokens } from '../../ui/format.ts';
import { compactionFacts, segmentFacts, segmentName } from '../../ui/segments.ts';
import { useDesk, useReading } from './desk-context.ts';

/** The rail. */
export function Rail({ onSegment }: { readonly onSegment: (segment: SegmentRow) => void }): ReactNode {
  const { segments, outline, places } = useDesk();
  const step = useReading((state) => state.step);
  const current = step === null ? null : (outline[step]?.segment ?? null);
  return (
    <ul className="review-rail" aria-label="Segments">
      {segments.map((segment) => {
        const marked = places.filter((place) => outline[place.item]?.segment === segment.index).length;
        const before = segment.link === 'compaction' ? `${compactionFacts(segment)}\n` : '';
        return (
          <li key={segment.index} style={{ flexGrow: Math.max(1, segment.tokens) }}>
            <button
              type="button"
              className={`review-segment ${segment.kind}`}
              aria-current={segment.index === current ? 'true' : undefined}
              aria-label={`${segmentName(segment)}: ${segmentFacts(segment)}${marked > 0 ? `, evidence in ${marked} places` : ''}`}
              title={`${before}${segmentName(segment)} · ${segmentFacts(segment)}`}
              onClick={() => onSegment(segment)}
            >
              <span className="ellipsis">
                {segmentName(segment)} <span className="faint">{formatTokens(segment.tokens)}</span>
              </span>
              {marked > 0 && <i className="read-flag" />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
