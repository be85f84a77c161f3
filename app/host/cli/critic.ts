// --critic: where critic values come from. A file is joined first; what of it could not be joined is said on stderr.

import { resolve } from 'node:path';
import type { CriticStandIn, ValuesReport } from '../../contract/index.ts';
import { valuesReport } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Environment, type Option, UsageError } from './command.ts';
import { runJob } from './run-job.ts';
import { count, plural } from './text.ts';

/** The option, the same for every command that has it. */
export const criticOption = {
  type: 'string',
  value: 'WHAT',
  help: 'critic values: logged (default), none, constant:X, group-mean, file:PATH',
} as const satisfies Option;

type Asked = { readonly critic: CriticStandIn } | { readonly path: string };

/** Reads the option. @throws UsageError for anything else. */
export function parseCritic(text: string | undefined): Asked {
  if (text === undefined || text === 'logged') return { critic: { kind: 'logged' } };
  if (text === 'none' || text === 'group-mean') return { critic: { kind: text } };
  if (text.startsWith('file:') && text.length > 'file:'.length) return { path: text.slice('file:'.length) };
  const constant = text.startsWith('constant:') ? text.slice('constant:'.length) : text;
  const value = constant.trim() === '' ? Number.NaN : Number(constant);
  if (!Number.isFinite(value)) {
    throw new UsageError(`--critic must be logged, none, constant:X, group-mean or file:PATH, not "${text}".`);
  }
  return { critic: { kind: 'constant', value } };
}

/** The critic to compute with, and the report of the joining when it is a file. */
export async function resolveCritic(
  engine: Engine,
  asked: Asked,
  environment: Environment,
): Promise<{ readonly critic: CriticStandIn; readonly joined: ValuesReport | null }> {
  if ('critic' in asked) return { critic: asked.critic, joined: null };
  const path = resolve(environment.cwd, asked.path);
  const joined = valuesReport.parse((await runJob(engine, { kind: 'values', path }, environment)).result);
  for (const line of joinedText(joined)) environment.output.note(line);
  return { critic: { kind: 'file', values: joined.id }, joined };
}

function joinedText(joined: ValuesReport): string[] {
  const { name, rollouts, segments, tokens, unmatched, shifted } = joined;
  const lines = [
    `${name}: values of ${count(tokens)} tokens joined to ${plural(segments, 'segment')} of ${plural(rollouts, 'rollout')}.`,
  ];
  if (unmatched.count > 0) {
    lines.push(`${count(unmatched.count)} of its entries were not joined:`);
    for (const { rollout, segment, reason } of unmatched.first.slice(0, 5))
      lines.push(`  ${rollout}, segment ${segment}: ${reason}`);
    if (unmatched.count > 5) lines.push('  … --json lists more.');
  }
  for (const { rollout, segment, message } of shifted.slice(0, 3))
    lines.push(`  ${rollout}, segment ${segment}: ${message}`);
  if (shifted.length > 3) lines.push(`  … the same in ${count(shifted.length - 3)} more segments.`);
  return lines;
}
