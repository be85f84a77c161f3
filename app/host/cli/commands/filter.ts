// rollscope filter: the rule pack as a long-lived process between a training loop and its agent. JSON lines in, verdicts out.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hackKinds } from '../../../contract/index.ts';
import { type TaskContract, taskContract } from '../../../contract/task-contract.ts';
import { runFilter } from '../../../engine/filter/process.ts';
import { starterPack } from '../../../engine/rules/starter-pack.ts';
import { loadPack } from '../../../engine/scan/pack-store.ts';
import { messageOf, Refusal } from '../../../shared/errors.ts';
import { workspacePath } from '../../workspace-path.ts';
import {
  command,
  commonOptions,
  type Environment,
  exit,
  numberOption,
  UsageError,
  workspaceOptions,
} from '../command.ts';
import { plural } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

const defaults = { rollouts: 2_000, deadlineMs: 500 } as const;

export const filterCommand = command({
  name: 'filter',
  summary: 'judge actions while a run goes on: JSON lines in, verdicts out',
  usage: '[--pack FILE] [--threshold X] [--block-kinds LIST] [--contract FILE]',
  about:
    'Reads JSON lines from stdin and answers each with one JSON line on stdout, in order, until stdin ends: an action\n' +
    '({"id", "rollout", "tool", "arguments", "observation"}, or "command", "text") or a whole rollout ({"messages": [...]}, or\n' +
    'any record that import reads). The verdict is allow, mark or block, with score, rules and evidence. What a rollout did\n' +
    'before is kept by its name, so that flow over steps is seen; {"op": "end", "rollout": NAME} frees it. A line that cannot\n' +
    'be read is answered with an error and the next one is read. docs/scale.md has the fields, a Python client, and how to run\n' +
    'this on many machines.',
  options: {
    help: commonOptions.help,
    db: workspaceOptions.db,
    pack: { type: 'string', value: 'FILE', help: "rule pack (default: the workspace's, else the starter pack)" },
    threshold: { type: 'string', value: 'X', help: "mark from this score on, 0 to 1 (default: the pack's)" },
    'block-kinds': {
      type: 'string',
      value: 'LIST',
      help: 'kinds whose strong markers block, with commas; "critical" (default): rules of that severity; "all", "none"',
    },
    contract: {
      type: 'string',
      value: 'FILE',
      help: 'JSON {forbids, grants} for every rollout (default: read from its task text)',
    },
    rollouts: {
      type: 'string',
      value: 'N',
      help: `most rollouts kept at a time (default: ${defaults.rollouts}); the one silent longest makes room`,
    },
    'deadline-ms': {
      type: 'string',
      value: 'MS',
      help: `a rule that runs longer on a line is stopped and named (default: ${defaults.deadlineMs})`,
    },
  },
  examples: [
    ['rollscope filter --pack tuned.yaml', 'answer lines until stdin ends'],
    ['rollscope filter < rollouts.jsonl > verdicts.jsonl', 'whole rollouts, one a line'],
    ['rollscope filter --block-kinds test-tampering,grader-tampering', 'block these kinds only'],
  ],
  async run({ values, positionals }, environment) {
    if (positionals.length > 0) throw new UsageError('filter reads stdin and takes no operands.');
    const { pack } = await packOf(values.pack, values.db, environment);
    const threshold = numberOption('threshold', values.threshold, { min: 0, max: 1 }) ?? pack.threshold;
    const rollouts = numberOption('rollouts', values.rollouts, { min: 1, max: 1e6 }) ?? defaults.rollouts;
    const deadlineMs =
      numberOption('deadline-ms', values['deadline-ms'], { min: 10, max: 600_000 }) ?? defaults.deadlineMs;
    const blockKinds = blockKindsOf(values['block-kinds']);
    const contract = values.contract === undefined ? null : await readContract(values.contract, environment.cwd);
    const { stdin } = process;
    environment.signal.addEventListener('abort', () => stdin.destroy(), { once: true });
    environment.output.note(
      `Rollscope filter: ${pack.id} ${pack.version}, ${plural(pack.rules.length, 'rule')}, marks from ${threshold} on.`,
    );
    await runFilter(
      {
        pack,
        policy: { threshold, blockKinds },
        rollouts,
        contract,
        deadlineMs,
        onNote: (note) => environment.output.note(note),
      },
      { input: stdin, write: writeOut, signal: environment.signal },
    );
    return exit.done;
  },
});

async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The pack of a file, of the workspace, or the starter pack where there is neither. */
async function packOf(
  file: string | undefined,
  db: string | undefined,
  environment: Environment,
): Promise<ReturnType<typeof loadPack>> {
  if (file !== undefined) return loadPack(await readText(file, environment.cwd));
  if (db === undefined && !existsSync(workspacePath(undefined, environment.env))) return loadPack(starterPack);
  const { yaml } = await withWorkspace({ db }, environment, (engine) => engine.client.scan.pack());
  return loadPack(yaml);
}

function blockKindsOf(list: string | undefined): ReadonlySet<string> {
  const kinds = (list ?? 'critical').split(',').map((kind) => kind.trim());
  if (kinds.length === 1 && (kinds[0] === 'none' || kinds[0] === '')) return new Set();
  const known = new Set<string>([...Object.keys(hackKinds), 'critical', 'all']);
  for (const kind of kinds)
    if (!known.has(kind))
      throw new UsageError(
        `--block-kinds: there is no kind "${kind}". The kinds are ${[...known].join(', ')}, or none.`,
      );
  return new Set(kinds);
}

async function readContract(file: string, cwd: string): Promise<TaskContract> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(file, cwd));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('contract-invalid', `${file} is not JSON: ${messageOf(error)}.`);
  }
  const parsed = taskContract.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(
    'contract-invalid',
    `${file} is no task contract: ${issue?.path.map(String).join('.') || 'file'}: ${issue?.message ?? 'not valid'}.`,
    'It wants {"forbids": [{"what": "...", "quote": ""}], "grants": []}.',
  );
}

async function readText(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Refusal('file-unreadable', `${file} cannot be read: ${messageOf(error)}.`);
  }
}
