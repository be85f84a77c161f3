// The row above a segment's steps, and the line between two segments that says what the compaction did.

import type { ReactNode } from 'react';
import type { SegmentRow } from '../../../app/contract/index.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { formatNumber, formatTokens } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { compactionFacts, segmentFacts, segmentName } from '../../ui/segments.ts';
import { useScreen } from './screen-context.ts';

/** The tone of a kind of segment. */
function kindTone(kind: SegmentRow['kind']): Tone {
  switch (kind) {
    case 'execution':
      return 'exec';
    case 'summary':
      return 'summary';
    case 'subagent':
      return 'accent';
    case 'other':
      return 'neutral';
  }
}

/** Kind, tokens, trainable tokens, steps, factor and context of a segment. */
export function SegmentHeader({
  segment,
  hints = false,
}: {
  readonly segment: SegmentRow;
  readonly hints?: boolean;
}): ReactNode {
  const { shown } = useScreen();
  const result =
    shown.kind === 'run' ? shown.run.result.segments.find((one) => one.index === segment.index) : undefined;
  const factor = result?.factor ?? null;
  const link =
    segment.link === 'fork'
      ? 'forked'
      : segment.link === 'continuation'
        ? 'continued'
        : segment.link === 'subagent'
          ? 'called'
          : null;
  return (
    <div className="segment-row">
      <Chip tone={kindTone(segment.kind)}>{segmentName(segment)}</Chip>
      <span className="ellipsis muted">
        {segment.kindSource === 'inferred' && 'inferred · '}
        {segmentFacts(segment)}
        {link !== null && segment.parentIndex !== null && ` · ${link} from ${segment.parentIndex + 1}`}
        {segment.contextAfter !== null &&
          segment.link !== 'compaction' &&
          ` · starts at ${formatTokens(segment.contextAfter)} of context`}
        {segment.agent !== null && ` · ${segment.agent}`}
      </span>
      {factor !== null && (
        <span className="segment-factor" title="Cross-trajectory factor: what reaches this segment of the final reward">
          F = {formatFactor(factor)}
        </span>
      )}
      {hints && (
        <span className="segment-hints faint">
          <Kbd name="[" /> <Kbd name="]" /> segments <Kbd name="j" /> <Kbd name="k" /> steps
        </span>
      )}
    </div>
  );
}

/** A factor in (0, 1], which spans many orders of magnitude. */
export function formatFactor(factor: number): string {
  if (factor === 0) return '0';
  return factor < 1e-3 ? factor.toExponential(1) : formatNumber(factor, 3);
}

/** `compacted · auto · 149k → 14k · 41 s` between two segments. */
export function CompactionLine({ segment }: { readonly segment: SegmentRow }): ReactNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator with words in it, which hr cannot hold
    <div className="compaction-row" role="separator" aria-label={compactionFacts(segment)}>
      <span>{compactionFacts(segment)}</span>
    </div>
  );
}
