// Parameters of estimators in words: their signs and values.

import type { EstimatorInfo, ParameterInfo } from '../../../app/contract/index.ts';

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
