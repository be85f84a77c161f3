// What stands in a field of the parameter form while a person types, and its way from and to a parameter's value.

import type { ParameterInfo } from '../../../app/contract/index.ts';
import { adaptiveLambda } from './parameter-words.ts';

/** What the length of an adaptive λ may count. */
export const lambdaLengths = ['segment_trainable', 'rollout_trainable', 'segment_tokens'] as const;

export type Draft =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'choice'; readonly value: string }
  | { readonly kind: 'boolean'; readonly on: boolean }
  | {
      readonly kind: 'lambda';
      readonly form: 'number' | 'adaptive';
      readonly text: string;
      readonly alpha: string;
      readonly length: string;
    };

/** The draft of a value. */
export function draftOf(parameter: ParameterInfo, value: unknown): Draft {
  switch (parameter.type) {
    case 'number':
      return { kind: 'number', text: typeof value === 'number' ? String(value) : '' };
    case 'choice':
      return { kind: 'choice', value: typeof value === 'string' ? value : (parameter.choices?.[0] ?? '') };
    case 'boolean':
      return { kind: 'boolean', on: value === true };
    case 'lambda': {
      const adaptive = adaptiveLambda(value);
      const length = adaptive?.length ?? lambdaLengths[0];
      return {
        kind: 'lambda',
        form: adaptive === null ? 'number' : 'adaptive',
        text: typeof value === 'number' ? String(value) : adaptive === null ? '' : '1',
        alpha: adaptive === null ? '' : String(adaptive.alpha),
        length,
      };
    }
  }
}

/** What is wrong with a draft, for a person; null when nothing is. An empty number stands for "not given". */
export function checkDraft(parameter: ParameterInfo, draft: Draft): string | null {
  switch (draft.kind) {
    case 'choice':
    case 'boolean':
      return null;
    case 'number':
      return draft.text.trim() === '' && typeof parameter.default !== 'number'
        ? null
        : checkNumber(draft.text, parameter);
    case 'lambda':
      if (draft.form === 'number') {
        return draft.text.trim() === '' && parameter.default === null
          ? null
          : checkNumber(draft.text, { min: 0, max: 1 });
      }
      return checkNumber(draft.alpha, { min: 0 }) ?? (Number(draft.alpha) === 0 ? 'α must be above 0.' : null);
  }
}

function checkNumber(
  text: string,
  range: { readonly min?: number | undefined; readonly max?: number | undefined },
): string | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'This must be a number.';
  if (range.min !== undefined && value < range.min) return `The least is ${range.min}.`;
  if (range.max !== undefined && value > range.max) return `The most is ${range.max}.`;
  return null;
}

/** The value of a checked draft; undefined for "not given". Fields of `before` that the form does not show are kept. */
export function valueOfDraft(draft: Draft, before: unknown): unknown {
  switch (draft.kind) {
    case 'choice':
      return draft.value;
    case 'boolean':
      return draft.on;
    case 'number':
      return draft.text.trim() === '' ? undefined : Number(draft.text);
    case 'lambda': {
      if (draft.form === 'number') return draft.text.trim() === '' ? undefined : Number(draft.text);
      const kept = adaptiveLambda(before) !== null && typeof before === 'object' && before !== null ? before : {};
      return { ...kept, alpha: Number(draft.alpha), length: draft.length };
    }
  }
}
