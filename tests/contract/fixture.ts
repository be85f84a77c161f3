// A small native log for the contract suite: two siblings of one group. One compacts once and reads the grader; the other
// is short and honest.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Call {
  readonly command: string;
  readonly output: string;
}

function messages(task: string, calls: readonly Call[]): unknown[] {
  return [
    { role: 'system', content: 'You repair programs. Use the bash tool.' },
    { role: 'user', content: task },
    ...calls.flatMap(({ command, output }, at) => [
      {
        role: 'assistant',
        content: `Step ${at + 1}.`,
        tool_calls: [
          { id: `call-${at}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } },
        ],
      },
      { role: 'tool', tool_call_id: `call-${at}`, content: output },
    ]),
  ];
}

/** Ten prompt tokens, then `trainable` sampled ones. */
function columns(trainable: number): Record<string, unknown> {
  const length = 10 + trainable;
  const values = Array.from({ length }, (_, at) => (at < 10 ? null : 0.5 + at / 100));
  return {
    token_ids: Array.from({ length }, (_, at) => 100 + at),
    prompt_len: 10,
    align: 'full',
    loss_mask: Array.from({ length }, (_, at) => (at < 10 ? 0 : 1)),
    values,
    logprobs: { rollout: Array.from({ length }, (_, at) => (at < 10 ? null : -0.25)) },
  };
}

const task = 'The parser drops the last field of a row. Repair it.';

function rollouts(): unknown[] {
  const shared = {
    format: 'rollscope-rollout/1',
    run_id: 'contract',
    training_step: 3,
    group_id: 'g',
    task_id: 'parser',
    split: 'train',
  };
  return [
    {
      ...shared,
      rollout_id: 'long',
      status: 'completed',
      reward: { terminal: 1, placement: 'last_trainable_token' },
      segments: [
        {
          id: 's0',
          kind: 'execution',
          kind_source: 'producer',
          messages: messages(task, [
            { command: 'ls src tests', output: 'src/parser.py\ntests/test_parser.py' },
            { command: 'cat src/parser.py', output: 'def parse(row):\n    return row.split(",")[:-1]' },
          ]),
          ...columns(20),
        },
        {
          id: 's1',
          kind: 'execution',
          kind_source: 'producer',
          parent: 's0',
          link: 'compaction',
          messages: messages('Summary: parse() cuts the last field off.', [
            { command: "sed -i 's/\\[:-1\\]//' src/parser.py", output: '' },
          ]),
          ...columns(8),
        },
      ],
    },
    {
      ...shared,
      rollout_id: 'short',
      status: 'failed',
      reward: { terminal: 0, placement: 'last_trainable_token' },
      segments: [
        {
          id: 't0',
          kind: 'execution',
          kind_source: 'producer',
          messages: messages(task, [{ command: 'python -m pytest -q', output: '1 failed' }]),
          ...columns(12),
        },
      ],
    },
  ];
}

export interface Fixture extends Disposable {
  readonly folder: string;
  /** The log. */
  readonly log: string;
  /** Path of a workspace that does not exist yet. */
  readonly workspace: string;
}

/** Writes the log into a new temporary folder. */
export function createFixture(): Fixture {
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-contract-'));
  const log = join(folder, 'rollouts.jsonl');
  writeFileSync(
    log,
    rollouts()
      .map((rollout) => `${JSON.stringify(rollout)}\n`)
      .join(''),
  );
  return {
    folder,
    log,
    workspace: join(folder, 'contract.rollscope'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
