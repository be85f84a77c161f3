// Turning a description of an estimator into a registry entry: parameters are validated, refusals become data, and the
// form of the parameters takes its defaults from the schema, so that the two cannot disagree.

// For its side effect: zod must be told to run without `new Function` before the first parse.
import '../../contract/records.ts';
import type { z } from 'zod';
import type { EstimatorInfo, ParameterInfo } from '../../contract/estimator.ts';
import { type Computed, noNumbers, refusedRollout, refuseOverflow } from './outputs.ts';
import { refusalOf } from './refusal.ts';
import type {
  EstimatorDefinition,
  EstimatorError,
  EstimatorInput,
  EstimatorOutput,
  Scope,
  TokenColumn,
} from './types.ts';

type Params = Readonly<Record<string, unknown>>;

/** A parameter for the form, without the default, which comes from the schema. */
export type FormField = Omit<ParameterInfo, 'default'>;

interface Description<S extends z.ZodType<Params>> extends Omit<EstimatorInfo, 'parameters'> {
  readonly column: TokenColumn | null;
  readonly schema: S;
  readonly form: readonly FormField[];
  readonly scopeWith?: (params: z.output<S>) => Scope;
  /** May throw a refusal of the whole batch. */
  readonly compute: (params: z.output<S>, input: EstimatorInput) => Computed;
}

/** Makes a registry entry. Every parameter of the schema must have a default: `{}` is always a valid set. */
export function defineEstimator<S extends z.ZodType<Params>>(description: Description<S>): EstimatorDefinition {
  const { schema, form, compute, scopeWith, ...info } = description;
  const defaults = schema.parse({});
  return {
    ...info,
    parameters: form.map((field) => ({ ...field, default: defaults[field.name] ?? blankOf(field) })),
    scopeWith(params) {
      const parsed = schema.safeParse(params);
      return parsed.success && scopeWith !== undefined ? scopeWith(parsed.data) : info.scope;
    },
    run(params, input) {
      const parsed = schema.safeParse(params);
      if (!parsed.success) {
        const refused = wholeRefusal(info, {}, input, parameterError(info.id, parsed.error, Object.keys(defaults)));
        return parsed.error.issues.every(({ code }) => code === 'unrecognized_keys')
          ? { ...refused, unknownParameter: true }
          : refused;
      }
      try {
        const { rollouts, batch, plan } = compute(parsed.data, input);
        return {
          estimator: info.id,
          version: info.version,
          params: parsed.data,
          rollouts: rollouts.map(refuseOverflow),
          batch: { ...noNumbers, ...batch },
          plan: plan ?? null,
          error: null,
        };
      } catch (thrown) {
        return wholeRefusal(info, parsed.data, input, refusalOf(thrown));
      }
    },
  };
}

/** What the form shows for a step that is switched off. */
function blankOf(field: FormField): string | null {
  return field.choices?.includes('none') === true ? 'none' : null;
}

function wholeRefusal(
  info: { readonly id: string; readonly version: string },
  params: Params,
  input: EstimatorInput,
  error: EstimatorError,
): EstimatorOutput {
  return {
    estimator: info.id,
    version: info.version,
    params,
    rollouts: input.rollouts.map((rollout) => refusedRollout(rollout.id, error)),
    batch: noNumbers,
    plan: null,
    error,
  };
}

/** One sentence for the first problem; an unknown parameter lists the known ones. */
function parameterError(estimator: string, error: z.ZodError, known: readonly string[]): EstimatorError {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const place = path.length === 0 ? '' : `"${path.join('.')}": `;
  const unknown = issue?.code === 'unrecognized_keys' && path.length === 0;
  const advice = unknown ? ` It takes: ${known.length === 0 ? 'none' : known.join(', ')}.` : '';
  const message = `Bad parameters for ${estimator}. ${place}${issue?.message ?? 'not understood'}.${advice}`;
  return { code: 'parameter_invalid', message, where: path };
}
