// Comparing an expected JSON tree with what was computed: every number within tolerance, everything else equal.

import type { Tree } from './vectors-tree.ts';

export interface Tolerance {
  readonly abs: number;
  readonly rel: number;
}

/** What a comparison found so far: the largest |got - expected| and the first place that does not agree. */
export interface Finding {
  worst: number;
  mismatch: string | null;
}

/** Compares `got` with `expected` and adds to `finding`. A number passes iff |got - exp| <= abs + rel*|exp|. */
export function compareTrees(expected: unknown, got: Tree, path: string, tolerance: Tolerance, finding: Finding): void {
  const wanted = asNumber(expected);
  if (wanted !== null) compareNumbers(wanted, got, path, tolerance, finding);
  else if (Array.isArray(expected)) compareLists(expected, got, path, tolerance, finding);
  else if (typeof expected === 'object' && expected !== null) compareObjects(expected, got, path, tolerance, finding);
  else if (expected !== got) differ(finding, path, JSON.stringify(expected), got);
}

function compareLists(
  expected: readonly unknown[],
  got: Tree,
  path: string,
  tolerance: Tolerance,
  finding: Finding,
): void {
  if (!isList(got)) {
    differ(finding, path, 'a list', got);
  } else if (got.length !== expected.length) {
    note(finding, `${path}: ${expected.length} entries expected, ${got.length} computed`);
  } else {
    for (let i = 0; i < expected.length; i += 1) {
      compareTrees(expected[i], got[i] ?? null, `${path}[${i}]`, tolerance, finding);
    }
  }
}

function compareObjects(expected: object, got: Tree, path: string, tolerance: Tolerance, finding: Finding): void {
  if (!(got instanceof Map)) {
    differ(finding, path, 'an object', got);
    return;
  }
  const entries = Object.entries(expected);
  if (entries.length !== got.size) note(finding, `${path}: ${entries.length} keys expected, ${got.size} computed`);
  for (const [key, value] of entries) compareTrees(value, got.get(key) ?? null, `${path}.${key}`, tolerance, finding);
}

function isList(tree: Tree): tree is Float64Array | readonly Tree[] {
  return Array.isArray(tree) || tree instanceof Float64Array;
}

function compareNumbers(wanted: number, got: Tree, path: string, tolerance: Tolerance, finding: Finding): void {
  if (typeof got !== 'number') {
    differ(finding, path, String(wanted), got);
    return;
  }
  if (Object.is(wanted, got) || wanted === got) return;
  const error = Math.abs(got - wanted);
  if (Number.isFinite(error)) finding.worst = Math.max(finding.worst, error);
  // A NaN error (a non-finite number on one side) fails here too.
  if (!(error <= tolerance.abs + tolerance.rel * Math.abs(wanted)) || !Number.isFinite(wanted)) {
    note(finding, `${path}: ${wanted} expected, ${got} computed`);
  }
}

function asNumber(expected: unknown): number | null {
  if (typeof expected === 'number') return expected;
  if (expected === 'NaN') return Number.NaN;
  if (expected === 'Infinity') return Number.POSITIVE_INFINITY;
  return expected === '-Infinity' ? Number.NEGATIVE_INFINITY : null;
}

function differ(finding: Finding, path: string, wanted: string, got: Tree): void {
  const shown = got === null ? 'nothing' : typeof got === 'object' ? 'a list or object' : String(got);
  note(finding, `${path}: ${wanted} expected, ${shown} computed`);
}

function note(finding: Finding, message: string): void {
  finding.mismatch ??= message;
}
