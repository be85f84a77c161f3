// The demo's slime dumps: one group of two rollouts; the first compacts once and so is two samples. Own texts.

import { float, floats, storage, tensor, torchArchive, type Writable } from '../../tests/fixtures/torch-writer.ts';
import { criticValue, f32, random, sampledLogprob, tokenize } from './tokens.ts';

const system = 'You solve small programming tasks with the tool bash. Say when you are done.';
const task =
  'retry() in net/retry.py waits the same time before every attempt. Make the wait double each time, at most 30 seconds, and make tests/test_retry.py pass.';

const say = (text: string): Piece => ({ text: `${text}<|im_end|>`, sampled: true });
const call = (command: string, text = ''): Piece =>
  say(`${text}<tool_call>\n${JSON.stringify({ name: 'bash', arguments: { command } })}\n</tool_call>`);
const seen = (text: string): Piece => ({
  text: `\n<|im_start|>user\n<tool_response>\n${text}\n</tool_response><|im_end|>\n<|im_start|>assistant\n`,
  sampled: false,
});
const asked = (text: string): Piece => ({
  text: `\n<|im_start|>user\n${text}<|im_end|>\n<|im_start|>assistant\n`,
  sampled: false,
});

interface Piece {
  readonly text: string;
  readonly sampled: boolean;
}

const summary =
  '<summary>\nGoal: waits of retry() double, at most 30 s. net/retry.py uses time.sleep(delay) in the loop at line 22; delay never changes. tests/test_retry.py::test_doubles fails, test_first_wait passes. Next: double delay after each sleep and cap it.\n</summary>';

interface Sample {
  readonly rollout: number;
  readonly reward: number;
  readonly status: 'completed' | 'truncated';
  readonly prompt: readonly { readonly role: string; readonly content: string }[];
  readonly pieces: readonly Piece[];
}

const start = [
  { role: 'system', content: system },
  { role: 'user', content: task },
];

const samples: readonly Sample[] = [
  {
    rollout: 30,
    reward: 1,
    status: 'completed',
    prompt: start,
    pieces: [
      call(
        'cat net/retry.py; python -m pytest -q tests/test_retry.py',
        '<think>\nRead the loop and see what fails.\n</think>\n',
      ),
      seen(
        'def retry(fn, attempts=5, delay=1.0):\n    for attempt in range(attempts):\n        try:\n            return fn()\n        except OSError:\n            time.sleep(delay)\n\nFAILED tests/test_retry.py::test_doubles - assert [1.0, 1.0, 1.0] == [1.0, 2.0, 4.0]\n1 failed, 1 passed',
      ),
      call('grep -rn "retry(" --include=*.py net | head', 'Who calls it with a delay of its own?\n'),
      seen(
        'net/client.py:40:    return retry(self._get, attempts=6)\nnet/client.py:58:    return retry(self._put, delay=0.2)',
      ),
      asked('Your context is almost full. Summarise for your successor.'),
      say(summary),
    ],
  },
  {
    rollout: 30,
    reward: 1,
    status: 'completed',
    prompt: [...start, { role: 'user', content: summary }],
    pieces: [
      call(
        "sed -i 's/            time.sleep(delay)/            time.sleep(delay)\\n            delay = min(delay * 2, 30.0)/' net/retry.py && python -m pytest -q",
      ),
      seen('11 passed in 0.31s'),
      say('The wait doubles after each failed attempt and stops at 30 seconds; all tests pass.'),
    ],
  },
  {
    rollout: 31,
    reward: 0,
    status: 'truncated',
    prompt: start,
    pieces: [
      call('sed -n 1,40p tests/test_retry.py', '<think>\nWhat exactly do the tests want?\n</think>\n'),
      seen(
        'def test_doubles(clock):\n    with pytest.raises(OSError):\n        retry(fails, attempts=3)\n    assert clock.waits == [1.0, 2.0, 4.0]',
      ),
      call('pip show tenacity'),
      seen('WARNING: Package(s) not found: tenacity'),
      say(
        '<think>\nA decorator of my own then. Collect the exceptions, the clock, the jitter and the hooks first, since',
      ),
    ],
  },
];

interface Built {
  readonly sample: Sample;
  readonly tokens: number[];
  readonly mask: number[];
  readonly responseLength: number;
  readonly rollout: number[];
  readonly train: number[];
  readonly ref: number[];
  readonly values: number[];
}

const built: readonly Built[] = samples.map((sample, i): Built => {
  const next = random(7_000 + i);
  const promptText = `${sample.prompt.map((m) => `<|im_start|>${m.role}\n${m.content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`;
  const chunks = sample.pieces.map((piece) => ({ ids: tokenize(piece.text), sampled: piece.sampled }));
  const mask = chunks.flatMap(({ ids, sampled }) => ids.map(() => (sampled ? 1 : 0)));
  const rollout = mask.map((m) => (m === 1 ? sampledLogprob(next(), next()) : 0));
  return {
    sample,
    tokens: [...tokenize(promptText), ...chunks.flatMap(({ ids }) => ids)],
    mask,
    responseLength: mask.length,
    rollout,
    train: rollout.map((p, t) => (mask[t] === 1 ? f32(Math.min(-1e-6, p + (next() - 0.5) * 0.02)) : 0)),
    ref: rollout.map((p, t) => (mask[t] === 1 ? f32(p - next() * 0.3) : 0)),
    values: mask.map((_, t) => criticValue(t / mask.length, sample.reward, next())),
  };
});

/** The dump after generation: rollout_data/3.pt. */
export function slimeRolloutDump(): Uint8Array {
  const dicts = built.map(
    ({ sample, tokens, mask, responseLength, rollout }, i): Writable => ({
      group_index: 5,
      index: i,
      rollout_id: sample.rollout,
      prompt: sample.prompt.map((m) => ({ ...m })),
      tokens,
      response: sample.pieces.map((piece) => piece.text).join(''),
      response_length: responseLength,
      label: '',
      reward: float(sample.reward),
      loss_mask: mask,
      weight_versions: ['3'],
      rollout_log_probs: floats(rollout),
      teacher_log_probs: null,
      status: sample.status,
      remove_sample: false,
      metadata: { instance_id: 'retry-doubling' },
      train_metadata: null,
      session_id: `demo-${sample.rollout}`,
    }),
  );
  return torchArchive({ rollout_id: 3, samples: dicts }, '3');
}

/** Plain GAE over all response positions of each sample, as slime's ppo computes it (gamma 1, lambda 0.95). */
function slimeAdvantages({ sample, values }: Built): number[] {
  const lambda = 0.95;
  const out = new Array<number>(values.length).fill(0);
  let carry = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    const reward = t === values.length - 1 ? sample.reward : 0;
    carry = reward + (values[t + 1] ?? 0) - (values[t] ?? 0) + lambda * carry;
    out[t] = f32(carry);
  }
  return out;
}

/** The dump of the training step: train_data/3.pt. */
export function slimeTrainDump(): Uint8Array {
  const f = (values: readonly number[]): Writable => tensor(storage('Float', values));
  const dicts = built.map((one, position): Writable => {
    const advantages = slimeAdvantages(one);
    return {
      data_parallel_rank: 0,
      sample_index: position,
      rollout_position: position,
      tokens: tensor(storage('Long', one.tokens)),
      loss_masks: tensor(storage('Int', one.mask)),
      response_lengths: one.responseLength,
      total_lengths: one.tokens.length,
      rewards: float(one.sample.reward),
      local_raw_reward: float(one.sample.reward),
      truncated: one.sample.status === 'truncated' ? 1 : 0,
      rollout_ids: one.sample.rollout,
      rollout_log_probs: f(one.rollout),
      log_probs: f(one.train),
      ref_log_probs: f(one.ref),
      values: f(one.values),
      advantages: f(advantages),
      returns: f(advantages.map((a, t) => f32(a + (one.values[t] ?? 0)))),
    };
  });
  return torchArchive(
    { format_version: 2, rollout_id: 3, rank: 0, samples: dicts, dp_shards: [], raw_reward: floats([1, 1, 0]) },
    '3',
  );
}
