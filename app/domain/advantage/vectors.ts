// Golden vectors: a file of cases run through the registry, pass or fail for each. A trainer's author can use it too.

import { z } from 'zod';
import { Refusal } from '../../shared/errors.ts';
import { estimatorById, runEstimator } from './registry.ts';
import type { EstimatorInput, EstimatorOutput } from './types.ts';
import { compareTrees, type Finding, type Tolerance } from './vectors-compare.ts';
import { readInput, unreadFields, type VectorCase, vectorCase, vectorFile, vectorsSchema } from './vectors-file.ts';
import { samplesOf, type Tree, treeOf } from './vectors-tree.ts';

/** The outcome of one case. `worst` is the largest |got - expected| over its finite numbers. */
export interface CaseResult {
  readonly name: string;
  readonly estimator: string;
  readonly status: 'pass' | 'fail' | 'unsupported';
  readonly worst?: number;
  /** Why it failed or is not supported: the first place that does not agree. With a pass, fields that were not read. */
  readonly detail?: string;
}

export interface VectorsReport {
  readonly cases: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
}

/**
 * Runs parsed JSON of a golden file (schema `rollscope-golden-1`). Every number of `expected` is checked:
 * |got - exp| <= abs + rel*|exp|. An expected error passes on its code. An estimator or a key this version does not know is
 * `unsupported`; a malformed input fails its own case. Throws a `Refusal` (`vectors_malformed`) when it is no such file.
 */
export function runVectors(file: unknown): VectorsReport {
  const parsed = vectorFile.safeParse(file);
  if (!parsed.success) throw malformed(parsed.error, '');
  const cases = parsed.data.cases.map((raw, i) => {
    const one = vectorCase.safeParse(raw);
    if (!one.success) throw malformed(one.error, `cases[${i}].`);
    return one.data;
  });
  const results = cases.map(runCase);
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  return { cases: results, passed: count('pass'), failed: count('fail'), unsupported: count('unsupported') };
}

function malformed(error: z.ZodError, prefix: string): Refusal {
  const issue = error.issues[0];
  const place = `${prefix}${issue?.path.map(String).join('.') ?? ''}`;
  return new Refusal(
    'vectors_malformed',
    `This is not a file of golden vectors: ${place === '' ? 'the document' : place}: ${issue?.message ?? 'not understood'}.`,
    `Expected {"schema": "${vectorsSchema}", "cases": [{"name", "estimator", "params", "input", "expected", "tolerance"}]}.`,
  );
}

function runCase(one: VectorCase): CaseResult {
  const { name, estimator } = one;
  if (estimatorById(estimator) === undefined) {
    return { name, estimator, status: 'unsupported', detail: `There is no estimator "${estimator}".` };
  }
  let input: EstimatorInput;
  try {
    input = readInput(one.input);
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    const issue = thrown.issues[0];
    const place = issue?.path.map(String).join('.') ?? '';
    return {
      name,
      estimator,
      status: 'fail',
      detail: `Malformed input: ${place}: ${issue?.message ?? 'not understood'}.`,
    };
  }
  const judged = judge(one, input, runEstimator(estimator, one.params, input));
  const unread = judged.status === 'pass' ? unreadFields(one.input) : [];
  return { name, estimator, ...judged, ...(unread.length === 0 ? {} : { detail: `Not read: ${unread.join(', ')}.` }) };
}

type Judgement = Pick<CaseResult, 'status' | 'worst' | 'detail'>;

function judge(one: VectorCase, input: EstimatorInput, output: EstimatorOutput): Judgement {
  const refused = output.error ?? output.rollouts.find((rollout) => rollout.error !== null)?.error ?? null;
  const { error: wantedCode, where: _advisory, ...wanted } = one.expected;
  if (wantedCode !== undefined) {
    if (refused?.code === wantedCode) return { status: 'pass' };
    const got = refused === null ? 'a result was computed' : `the refusal was ${refused.code}`;
    return { status: 'fail', detail: `The refusal ${String(wantedCode)} was expected, but ${got}.` };
  }
  if (refused !== null) {
    // A parameter that no estimator of this version has: nothing was computed that could be wrong.
    const status = output.unknownParameter === true ? 'unsupported' : 'fail';
    return { status, detail: `Refused with ${refused.code}: ${refused.message}` };
  }
  return compareAll(wanted, one.tolerance, input, output);
}

function compareAll(
  wanted: Readonly<Record<string, unknown>>,
  tolerance: Tolerance,
  input: EstimatorInput,
  output: EstimatorOutput,
): Judgement {
  const finding: Finding = { worst: 0, mismatch: null };
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const got = computed(key, wanted, input, output);
    if (got === undefined) unknown.push(key);
    else compareTrees(value, got, key, tolerance, finding);
  }
  if (finding.mismatch !== null) return { status: 'fail', worst: finding.worst, detail: finding.mismatch };
  if (unknown.length > 0)
    return { status: 'unsupported', detail: `Not checked by this version: ${unknown.join(', ')}.` };
  if (Object.keys(wanted).length === 0)
    return { status: 'fail', detail: 'The case expects nothing: there is nothing to check.' };
  return { status: 'pass', worst: finding.worst };
}

/** The computed side of one key. Two kinds of key need more than the output: samples their positions, one the batch. */
function computed(
  key: string,
  wanted: Readonly<Record<string, unknown>>,
  input: EstimatorInput,
  output: EstimatorOutput,
): Tree | undefined {
  switch (key) {
    case 'advantages_at':
      return samplesOf(output, 'advantages', wanted.raw_positions);
    case 'returns_at':
      return samplesOf(output, 'returns', wanted.raw_positions);
    case 'token_mean_weight': {
      const weights = runEstimator('token_weights', { mode: 'token_mean' }, input);
      const segments = weights.rollouts.flatMap((rollout) => rollout.segments);
      return segments.find((segment) => segment.positions.length > 0)?.tokenWeight ?? null;
    }
    default:
      return treeOf(output, key, wanted[key]);
  }
}
