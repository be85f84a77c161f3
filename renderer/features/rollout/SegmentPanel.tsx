// Facts of the segment that holds the selection.

import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatPercent } from '../../ui/format.ts';
import { contextChange, segmentName } from '../../ui/segments.ts';
import { FactRow } from './FactRow.tsx';
import { columnTitle } from './format.ts';
import { formatFactor } from './SegmentHeader.tsx';
import { segmentByIndex, useScreen, useScreenState } from './screen-context.ts';

/** The facts. */
export function SegmentPanel(): ReactNode {
  const { segments, outline, shown } = useScreen();
  const item = useScreenState((state) => state.item);
  const index = item === null ? segments[0]?.index : outline[item]?.segment;
  const segment = index === undefined ? undefined : segmentByIndex(segments, index);
  if (segment === undefined) return null;
  const result =
    shown.kind === 'run' ? shown.run.result.segments.find((one) => one.index === segment.index) : undefined;
  const facts: (readonly [string, string])[] = [
    ['tokens', `${formatCount(segment.tokens)}${segment.tokensEstimated ? ' (estimated)' : ''}`],
    [
      'trainable',
      segment.columns.length === 0
        ? 'unknown'
        : `${formatCount(segment.trainableTokens)} (${formatPercent(segment.tokens === 0 ? null : segment.trainableTokens / segment.tokens)})`,
    ],
    ['steps', formatCount(segment.steps)],
    ['kind', `${segment.kind}, ${segment.kindSource}`],
  ];
  if (segment.contextBefore !== null || segment.contextAfter !== null) {
    facts.push(['context', contextChange(segment)]);
  }
  if (segment.link !== null && segment.parentIndex !== null) {
    facts.push([segment.link.replaceAll('_', ' '), `segment ${segment.parentIndex + 1}`]);
  }
  if (segment.durationMs !== null) facts.push(['took', formatDuration(segment.durationMs)]);
  if (result?.factor !== null && result?.factor !== undefined) facts.push(['factor F', formatFactor(result.factor)]);
  if (result?.lambda !== null && result?.lambda !== undefined) facts.push(['λ', result.lambda.toPrecision(6)]);
  facts.push([
    'columns',
    segment.columns.length === 0
      ? 'no token ids; the axis is estimated from text'
      : segment.columns
          .filter((name) => name !== 'ids')
          .map(columnTitle)
          .join(', ') || 'token ids only',
  ]);
  return (
    <section aria-labelledby="segment-title">
      <h2 id="segment-title" className="section-title">
        Segment {segmentName(segment)}
      </h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
  );
}
