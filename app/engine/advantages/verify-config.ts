// What a log's kept fields say about the trainer: discount and lambda of its configuration, and the rank that computed.

import type { LambdaSpec } from '../../domain/advantage/lambda.ts';
import { fieldsOf, parsedJson } from './kept-fields.ts';

export interface ProducerSettings {
  readonly gamma: number | null;
  readonly lambda: LambdaSpec | null;
}

const nothing: ProducerSettings = { gamma: null, lambda: null };

const lengths: readonly (readonly [RegExp, 'segment_trainable' | 'rollout_trainable' | 'segment_tokens'])[] = [
  [/segment_trainable|\bn_s\b/, 'segment_trainable'],
  [/rollout_trainable|\bN\b/, 'rollout_trainable'],
  [/segment_tokens|response_length|\bT_s\b/, 'segment_tokens'],
];

/** A number, the same as text, `{alpha, length}`, or a rule such as "1 - 1/(1.5 * segment_trainable)". */
export function lambdaFrom(value: unknown): LambdaSpec | null {
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : null;
  if (typeof value === 'string') {
    const plain = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isFinite(plain)) return lambdaFrom(plain);
    const rule = /^\s*1\s*[-−]\s*1\s*\/\s*\(\s*([\d.]+)\s*[*·]\s*(\w+)\s*\)\s*$/u.exec(value);
    const length = lengths.find(([pattern]) => pattern.test(rule?.[2] ?? ''))?.[1];
    return rule === null || length === undefined ? null : adaptive(Number(rule[1]), length);
  }
  const fields = fieldsOf(value);
  const alpha = fields.get('alpha');
  const named = fields.get('length');
  if (typeof alpha !== 'number') return null;
  return adaptive(alpha, lengths.find(([, length]) => length === named)?.[1] ?? 'segment_trainable');
}

function adaptive(
  alpha: number,
  length: 'segment_trainable' | 'rollout_trainable' | 'segment_tokens',
): LambdaSpec | null {
  return alpha > 0 && Number.isFinite(alpha) ? { mode: 'length_adaptive', alpha, length, max: 1 } : null;
}

/** γ and λ from `producer.config` of a native record, under the names that trainers use. */
export function producerSettings(rolloutFields: string | null): ProducerSettings {
  const producer = fieldsOf(fieldsOf(parsedJson(rolloutFields)).get('producer'));
  const config = fieldsOf(producer.get('config'));
  if (config.size === 0) return nothing;
  const gamma = config.get('gamma');
  const lambda = ['lambda', 'lam', 'lambd', 'gae_lambda']
    .map((name) => lambdaFrom(config.get(name)))
    .find((one) => one !== null);
  return { gamma: typeof gamma === 'number' && gamma >= 0 && gamma <= 1 ? gamma : null, lambda: lambda ?? null };
}

/** The data-parallel rank named in any of the kept fields, at any of the depths at which trainers write it; null without one. */
export function rankOf(texts: readonly (string | null)[]): string | null {
  for (const text of texts) {
    const fields = fieldsOf(parsedJson(text));
    for (const place of [fields, fieldsOf(fields.get('train')), fieldsOf(fields.get('metadata'))]) {
      for (const name of ['data_parallel_rank', 'dp_rank', 'rank']) {
        const rank = place.get(name);
        if (typeof rank === 'number' || (typeof rank === 'string' && rank !== '')) return String(rank);
      }
    }
  }
  return null;
}
