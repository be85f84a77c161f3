// Words and figures of the Rollout screen: parameters, segments, compactions.

import type { EstimatorInfo, ParameterInfo, RolloutDetail, SegmentRow } from '../../../app/contract/index.ts';
import { formatCount, formatDuration, formatNumber, formatTokens, plural } from '../../ui/format.ts';

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

/** Numbers of parameters without noise: `1.0`, `0.95`, `1e-6`. */
function formatParameterNumber(value: number): string {
  if (Number.isInteger(value)) return value.toFixed(1);
  return Math.abs(value) < 1e-3 ? value.toExponential() : String(value);
}

/** A λ of length-adaptive form: {alpha, length?, max?}. Null when the value is something else. */
export function adaptiveLambda(value: unknown): { alpha: number; length: string | null } | null {
  if (typeof value !== 'object' || value === null || !('alpha' in value) || typeof value.alpha !== 'number')
    return null;
  const length = 'length' in value && typeof value.length === 'string' ? value.length : null;
  return { alpha: value.alpha, length };
}

/** The value of a parameter as a person reads it. */
export function formatParameter(value: unknown): string {
  if (typeof value === 'number') return formatParameterNumber(value);
  if (typeof value === 'string') return value.replaceAll('_', ' ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const adaptive = adaptiveLambda(value);
  if (adaptive !== null) return `1−1/(${adaptive.alpha}·l)`;
  return value === null || value === undefined ? '–' : JSON.stringify(value);
}

/** The values in force: those given over the defaults. */
export function effectiveParams(
  info: EstimatorInfo | undefined,
  given: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const values = new Map<string, unknown>((info?.parameters ?? []).map((one) => [one.name, one.default]));
  for (const [name, value] of Object.entries(given)) values.set(name, value);
  return values;
}

/** The sign of a parameter on a small button. */
export function parameterSign(parameter: Pick<ParameterInfo, 'name' | 'label'>): string {
  const signs = new Map([
    ['gamma', 'γ'],
    ['lambda', 'λ'],
    ['lambda_critic', 'λ critic'],
  ]);
  return signs.get(parameter.name) ?? parameter.label;
}

/** Mean and standard deviation of the group's rewards: `0.375 ± 0.48 (8)`. */
export function formatBaseline(group: RolloutDetail['group']): string {
  const known = group.siblings.filter((one) => one.reward !== null).length;
  if (group.mean === null) return '–';
  const spread = group.std === null ? '' : ` ± ${formatNumber(group.std)}`;
  return `${formatNumber(group.mean, 3)}${spread} (${known})`;
}

/** Names of token columns as people call them. */
export function columnTitle(column: string): string {
  const titles = new Map([
    ['advantages', 'logged advantage'],
    ['returns', 'logged returns'],
    ['values', 'critic values'],
    ['rewards', 'token rewards'],
    ['entropy', 'entropy'],
    ['kl', 'KL'],
    ['logprobs.rollout', 'log-probs, rollout'],
    ['logprobs.train', 'log-probs, trainer'],
    ['logprobs.old', 'log-probs, old policy'],
    ['logprobs.ref', 'log-probs, reference'],
    ['logprobs.teacher', 'log-probs, teacher'],
    ['loss_mask', 'loss mask'],
    ['ids', 'token id'],
    ['sampled_mask', 'sampled'],
  ]);
  return titles.get(column) ?? column;
}
