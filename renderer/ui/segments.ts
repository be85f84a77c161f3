// Words and figures of segments and compactions, the same on every screen.

import type { SegmentRow } from '../../app/contract/index.ts';
import { formatCount, formatDuration, formatTokens, plural } from './format.ts';

/** `1 execution`, `2 summary`: segments count from 1 on screen. */
export function segmentName(segment: SegmentRow): string {
  return `${segment.index + 1} ${segment.kind}`;
}

/** Tokens, trainable tokens, steps and context of a segment as one line. */
export function segmentFacts(segment: SegmentRow): string {
  const trained =
    segment.columns.length === 0
      ? ''
      : segment.trainableTokens === segment.tokens && segment.tokens > 0
        ? ', all trainable'
        : `, ${formatCount(segment.trainableTokens)} trainable`;
  const estimated = segment.tokensEstimated ? ' (estimated from text)' : '';
  return `${plural(segment.tokens, 'token')}${estimated}${trained} · ${plural(segment.steps, 'step')}`;
}

/** What happened between two segments: `compacted · auto · 149k → 14k · 41 s`. */
export function compactionFacts(segment: SegmentRow): string {
  const sizes = segment.contextBefore === null && segment.contextAfter === null ? null : contextChange(segment);
  const took = segment.durationMs === null ? null : formatDuration(segment.durationMs);
  return ['compacted', segment.trigger, sizes, took].filter((part) => part !== null).join(' · ');
}

/** `149k → 14k`, or what is known of it: `149k before`, `14k after`. */
export function contextChange(segment: Pick<SegmentRow, 'contextBefore' | 'contextAfter'>): string {
  const { contextBefore, contextAfter } = segment;
  if (contextAfter === null) return `${formatTokens(contextBefore)} before`;
  if (contextBefore === null) return `${formatTokens(contextAfter)} after`;
  return `${formatTokens(contextBefore)} → ${formatTokens(contextAfter)}`;
}
