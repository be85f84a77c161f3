// Writes a native log of a given size: many small rollouts with tokens, log-probs and values, as a trainer would dump them.
// Deterministic. Run: node tests/bench/make-native.ts FILE MEGABYTES

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { random } from '../../samples/story/tokens.ts';

const segmentsPerRollout = 3;
const stepsPerSegment = 10;
const promptLength = 100;

export interface NativeOptions {
  /** Number of the first rollout. */
  readonly first?: number;
  /** Tokens of one segment, prompt included; 6,000 by default. */
  readonly tokensPerSegment?: number;
}

function line(index: number, tokens: number): string {
  const next = random(index + 1);
  const segments = Array.from({ length: segmentsPerRollout }, (_, k) => segment(index, k, tokens, next));
  return JSON.stringify({
    format: 'rollscope-rollout/1',
    producer: { name: 'make-native', version: '1' },
    run_id: 'bench',
    training_step: Math.floor(index / 64),
    rollout_id: `b-${index}`,
    group_id: `g-${Math.floor(index / 8)}`,
    task_id: `task-${Math.floor(index / 8) % 50}`,
    attempt: index % 8,
    split: 'train',
    status: 'completed',
    reward: { terminal: next() < 0.4 ? 1 : 0, placement: 'last_trainable_token', shared: 'full' },
    segments,
    metadata: {},
  });
}

function segment(index: number, k: number, tokens: number, next: () => number): unknown {
  const response = tokens - promptLength;
  const turn = Math.floor(response / stepsPerSegment);
  const action = Math.floor(turn / 2);
  const column = (of: () => number): number[] => Array.from({ length: response }, () => Math.fround(of()));
  const steps = Array.from({ length: stepsPerSegment }, (_, i) => ({
    i,
    kind: 'execution',
    prompt_end: promptLength + i * turn,
    action: [promptLength + i * turn, promptLength + i * turn + action],
    message_index: 2 + i * 2,
    finish_reason: 'stop',
  }));
  const messages: unknown[] = [
    { role: 'system', content: 'You are a software engineer working in a terminal.' },
    { role: 'user', content: `Task ${index}, part ${k}: make the tests of module ${index % 97} pass.` },
  ];
  for (let i = 0; i < stepsPerSegment; i++) {
    const file = `src/module_${(index * 7 + i) % 97}.py`;
    messages.push(
      {
        role: 'assistant',
        content: `Look at ${file} next, then run its tests (${index}.${k}.${i}).`,
        tool_calls: [
          {
            id: `c${i}`,
            type: 'function',
            function: {
              name: 'bash',
              arguments: JSON.stringify({ command: `sed -n 1,80p ${file} && pytest -q tests/test_${i}.py` }),
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: `c${i}`,
        content: `def step_${i}(x):\n    return x + ${index}\n\n${i} passed, ${(index + i) % 3} failed in 0.${i}s`,
      },
    );
  }
  return {
    id: `b-${index}/${k}`,
    kind: 'execution',
    kind_source: 'producer',
    parent: k === 0 ? null : `b-${index}/${k - 1}`,
    link: k === 0 ? null : 'compaction',
    messages,
    token_ids: Array.from({ length: tokens }, () => Math.floor(next() * 150_000)),
    prompt_len: promptLength,
    align: 'response',
    loss_mask: Array.from({ length: response }, (_, t) => (t < turn * stepsPerSegment && t % turn < action ? 1 : 0)),
    logprobs: { rollout: column(() => -next()), train: column(() => -next()) },
    values: column(next),
    steps,
    metadata: {},
  };
}

/** Writes at least `bytes` bytes of log to `path`, whole rollouts; gives how many. */
export async function makeNative(path: string, bytes: number, options: NativeOptions = {}): Promise<number> {
  const { first = 0, tokensPerSegment = 6_000 } = options;
  const out = createWriteStream(path);
  let written = 0;
  let rollouts = 0;
  while (written < bytes) {
    const text = `${line(first + rollouts, tokensPerSegment)}\n`;
    rollouts += 1;
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return rollouts;
}

if (import.meta.main) {
  const [path, megabytes] = process.argv.slice(2);
  if (path === undefined || megabytes === undefined) throw new Error('Usage: make-native.ts FILE MEGABYTES');
  console.log(`${await makeNative(path, Number(megabytes) * 1e6)} rollouts`);
}
