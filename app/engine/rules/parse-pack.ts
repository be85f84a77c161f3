// YAML text of a rule pack -> the pack, or what is wrong with it, each problem with its line. Also runs a pack's examples.

import { isNode, LineCounter, parseDocument } from 'yaml';
import { type RulePack, rulePack } from '../../contract/rule-pack.ts';
import { type CompiledPack, compilePack } from '../../domain/detect/compile.ts';
import { exampleRollout } from '../../domain/detect/example.ts';
import { prepareRollout } from '../../domain/detect/prepare.ts';
import { scanRule } from '../../domain/detect/scan.ts';
import type { RuleHit } from '../../domain/detect/types.ts';
import { err, ok, type Result } from '../../shared/result.ts';

export interface PackLineProblem {
  /** Line in the YAML text, from 1; null where there is none to name. */
  readonly line: number | null;
  readonly message: string;
}

export interface ParsedPack {
  readonly pack: RulePack;
  readonly compiled: CompiledPack;
}

export interface ExampleFailure {
  readonly rule: string;
  readonly example: string;
  readonly expected: 'match' | 'clean';
}

/** Longest YAML text that is read. */
const maxLength = 2_000_000;

/**
 * Parses and compiles a pack. Syntax errors, wrong fields, double ids, unknown kinds and path classes and bad patterns come
 * back as problems with lines; nothing is thrown.
 */
export function parsePack(yaml: string): Result<ParsedPack, readonly PackLineProblem[]> {
  if (yaml.length > maxLength) {
    return err([
      { line: null, message: `The pack has ${yaml.length} characters; at most ${maxLength} are read. Split it.` },
    ]);
  }
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    return err(
      // One slip of syntax makes the rest of the file unreadable: only the first errors say something.
      document.errors
        .slice(0, 3)
        .map((error) => ({ line: lines.linePos(error.pos[0]).line, message: `YAML: ${error.message}` })),
    );
  }
  const lineOf = (path: readonly PropertyKey[]): number | null => {
    for (let length = path.length; length >= 0; length--) {
      const keys = path.slice(0, length);
      const node: unknown = length === 0 ? document.contents : document.getIn(keys, true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return err([{ line: null, message: `YAML: ${error instanceof Error ? error.message : String(error)}` }]);
  }
  const parsed = rulePack.safeParse(data);
  if (!parsed.success) {
    return err(
      parsed.error.issues.map((issue) => {
        const owner = ownerOf(data, issue.path);
        return {
          line: lineOf(issue.path),
          message: `${owner}${issue.path.map(String).join('.') || 'pack'}: ${issue.message}`,
        };
      }),
    );
  }
  const compiled = compilePack(parsed.data);
  if (!compiled.ok) return err(compiled.error.map(({ path, message }) => ({ line: lineOf(path), message })));
  return ok({ pack: parsed.data, compiled: compiled.value });
}

/** `Rule F1: ` where the path leads into a rule that has an id. */
function ownerOf(data: unknown, path: readonly PropertyKey[]): string {
  if (
    path[0] !== 'rules' ||
    typeof path[1] !== 'number' ||
    typeof data !== 'object' ||
    data === null ||
    !('rules' in data)
  )
    return '';
  const rules: unknown = data.rules;
  const rule: unknown = Array.isArray(rules) ? rules[path[1]] : undefined;
  return typeof rule === 'object' && rule !== null && 'id' in rule && typeof rule.id === 'string'
    ? `Rule ${rule.id}: `
    : '';
}

/** Runs every rule over its own examples; the examples that did not do what they should come back. */
export function runExamples(compiled: CompiledPack): ExampleFailure[] {
  const failures: ExampleFailure[] = [];
  for (const rule of compiled.rules) {
    const { id, examples } = rule.rule;
    const hits = (example: string): readonly RuleHit[] =>
      scanRule(rule, prepareRollout(exampleRollout(rule.rule, example)));
    for (const example of examples.match)
      if (hits(example).length === 0) failures.push({ rule: id, example, expected: 'match' });
    for (const example of examples.clean) {
      // What the task grants stays as a faint hint and is no match.
      if (hits(example).some(({ score }) => score >= rule.rule.score * 0.5))
        failures.push({ rule: id, example, expected: 'clean' });
    }
  }
  return failures;
}
