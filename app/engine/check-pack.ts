// Checks a rule pack without storing it: its shape line by line, then its examples in the regex thread.

import { setTimeout as delay } from 'node:timers/promises';
import type { RulePack } from '../contract/rule-pack.ts';
import { type ExampleFailure, type PackLineProblem, parsePack } from './rules/parse-pack.ts';
import type { RegexApi } from './threads/regex.ts';
import { startThread } from './threads/rpc.ts';

/** Examples are short: a pack that needs longer has a pattern that blows up. */
const examplesDeadlineMs = 5_000;

export interface CheckedPack {
  readonly pack: RulePack | null;
  readonly problems: PackLineProblem[];
  readonly failures: ExampleFailure[];
}

/** Parses a pack and runs its examples. Never throws for a bad pack. */
export async function checkPack(yaml: string): Promise<CheckedPack> {
  const parsed = parsePack(yaml);
  if (!parsed.ok) return { pack: null, problems: [...parsed.error], failures: [] };
  const { pack } = parsed.value;
  const thread = startThread<RegexApi>('regex', null, () => undefined);
  try {
    await thread.call('load', { pack });
    const running = thread.call('examples', undefined);
    running.catch(() => undefined);
    const failures = await Promise.race([running, delay(examplesDeadlineMs, null, { ref: false })]);
    if (failures !== null) return { pack, problems: [], failures };
    const message = `The examples did not end within ${examplesDeadlineMs / 1000} s: a pattern takes too long on one of them.`;
    return { pack, problems: [{ line: null, message }], failures: [] };
  } finally {
    await thread.kill();
  }
}
