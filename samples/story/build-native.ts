// Turns the stories into native records: messages, token ids, masks, log-probs, critic values and logged advantages.

import { runEstimator } from '../../app/domain/advantage/registry.ts';
import { type Call, type Story, type StorySegment, stories, system, type Turn, task } from './native.ts';
import { criticValue, f32, random, sampledLogprob, tokenize } from './tokens.ts';

type Message = Record<string, unknown>;

interface Chunk {
  readonly ids: number[];
  readonly sampled: boolean;
}

interface Built {
  readonly story: StorySegment;
  readonly messages: Message[];
  readonly steps: Record<string, unknown>[];
  readonly ids: number[];
  readonly promptLength: number;
  readonly mask: number[];
}

const render = (role: string, text: string): string => `<|${role}|>\n${text}\n`;

function callJson(call: Call): string {
  return JSON.stringify({ name: call.tool, arguments: call.args });
}

function assistantText(turn: Turn): string {
  const think = turn.think === undefined ? '' : `<think>\n${turn.think}\n</think>\n`;
  const call = turn.call === undefined ? '' : `<tool_call>\n${callJson(turn.call)}\n</tool_call>`;
  return `${think}${turn.say ?? ''}${call}`;
}

function assistantMessage(turn: Turn, id: string): Message {
  return {
    role: 'assistant',
    content: turn.say ?? '',
    ...(turn.think === undefined ? {} : { reasoning_content: turn.think }),
    ...(turn.call === undefined
      ? {}
      : {
          tool_calls: [
            { id, type: 'function', function: { name: turn.call.tool, arguments: JSON.stringify(turn.call.args) } },
          ],
        }),
  };
}

/** One segment with its context in front: system prompt, goal, the summary so far and the last two turns. */
function buildSegment(segment: StorySegment, summary: string | null, carried: readonly Turn[], prefix: string): Built {
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: task },
  ];
  const chunks: Chunk[] = messages.map((m) => ({
    ids: tokenize(render(String(m.role), String(m.content))),
    sampled: false,
  }));
  const add = (message: Message, text: string, sampled: boolean): void => {
    messages.push(message);
    chunks.push({ ids: tokenize(text), sampled });
  };
  if (summary !== null) {
    const text = `Summary of the work so far:\n${summary}`;
    add({ role: 'user', content: text, compaction_summary: true }, render('user', text), false);
  }
  const addTurn = (turn: Turn, id: string, sampled: boolean): number => {
    // The header belongs to the prompt: only what the policy sampled is trained.
    chunks.push({ ids: tokenize('<|assistant|>\n'), sampled: false });
    add(assistantMessage(turn, id), assistantText(turn), sampled);
    const at = messages.length - 1;
    if (turn.call !== undefined)
      add({ role: 'tool', tool_call_id: id, content: turn.call.result }, render('tool', turn.call.result), false);
    return at;
  };
  for (const [i, turn] of carried.entries()) addTurn(turn, `${prefix}-carried-${i}`, false);
  if (segment.ask !== undefined) add({ role: 'user', content: segment.ask }, render('user', segment.ask), false);

  const steps: Record<string, unknown>[] = [];
  let promptLength = -1;
  for (const [i, turn] of segment.turns.entries()) {
    const before = chunks.length;
    const messageIndex = addTurn(turn, `${prefix}-call-${i}`, true);
    const sampledAt = chunks.findIndex((chunk, at) => at >= before && chunk.sampled);
    const start = chunks.slice(0, sampledAt).reduce((sum, chunk) => sum + chunk.ids.length, 0);
    const end = start + (chunks[sampledAt]?.ids.length ?? 0);
    if (promptLength < 0) promptLength = start;
    steps.push({
      i,
      kind: segment.kind,
      prompt_end: start,
      action: [start, end],
      message_index: messageIndex,
      weight_version: '12',
      finish_reason: 'stop',
    });
  }
  const ids = chunks.flatMap((chunk) => chunk.ids);
  const mask = chunks.flatMap((chunk) => chunk.ids.map(() => (chunk.sampled ? 1 : 0)));
  return { story: segment, messages, steps, ids, promptLength, mask: mask.slice(promptLength) };
}

function buildRollout(story: Story, index: number): Record<string, unknown> {
  const next = random(1_000 + index);
  const built: Built[] = [];
  let summary: string | null = null;
  let carried: readonly Turn[] = [];
  for (const [k, segment] of story.segments.entries()) {
    const previous = story.segments[k - 1];
    // A summary is written on top of the whole segment before it; the next segment starts from the summary and two turns.
    if (segment.kind === 'summary' && previous !== undefined) {
      built.push(buildSegment(segment, summary, previous.turns, `s${k}`));
      summary = segment.turns[0]?.say ?? '';
      carried = previous.turns.slice(-2);
    } else {
      built.push(buildSegment(segment, summary, k === 0 ? [] : carried, `s${k}`));
    }
  }
  const trainable = built.reduce((sum, b) => sum + b.mask.filter((m) => m === 1).length, 0);
  let seen = 0;
  const columns = built.map((b) => {
    const values: number[] = [];
    const rollout: number[] = [];
    const train: number[] = [];
    const ref: number[] = [];
    for (const m of b.mask) {
      if (m === 1) seen += 1;
      values.push(criticValue(seen / trainable, story.reward, next()));
      const p = m === 1 ? sampledLogprob(next(), next()) : 0;
      rollout.push(p);
      train.push(m === 1 ? f32(Math.min(-1e-6, p + (next() - 0.5) * 0.02)) : 0);
      ref.push(m === 1 ? f32(p - next() * 0.3) : 0);
    }
    return { values, rollout, train, ref };
  });
  const advantages = loggedAdvantages(
    story,
    built,
    columns.map((c) => c.values),
  );
  return {
    format: 'rollscope-rollout/1',
    producer: {
      name: 'rollscope-samples',
      version: '1',
      config: {
        gamma: 1,
        lambda: '1 - 1/(1.5 * segment_trainable)',
        estimator: 'compaction_gae',
        loss_agg: 'token_mean',
        n_samples_per_prompt: 4,
      },
    },
    run_id: 'demo-tally',
    training_step: 12,
    rollout_id: story.id,
    group_id: 'tally-parenthesised-amounts',
    task_id: 'tally-parenthesised-amounts',
    attempt: index,
    split: 'train',
    agent: { name: 'demo-policy-7b', trainable: true },
    status: story.status,
    status_detail: story.status === 'truncated' ? story.stop : null,
    stop_condition: story.stop,
    excluded_from_loss: false,
    reward: {
      terminal: story.reward,
      components: { tests: { score: story.reward, weight: 1 } },
      placement: 'last_trainable_token',
      shared: 'full',
    },
    policy_span: { start: 12, end: 12 },
    segments: built.map((b, k) => ({
      id: `${story.id}/${k}`,
      kind: b.story.kind,
      kind_source: 'producer',
      parent: k === 0 ? null : `${story.id}/${k - 1}`,
      link: k === 0 ? null : b.story.kind === 'summary' ? 'summary_of' : 'compaction',
      messages: b.messages,
      token_ids: b.ids,
      tokenizer: 'rollscope-demo',
      prompt_len: b.promptLength,
      align: 'response',
      loss_mask: b.mask,
      logprobs: { rollout: columns[k]?.rollout ?? [], train: columns[k]?.train ?? [], ref: columns[k]?.ref ?? [] },
      values: columns[k]?.values ?? [],
      advantages: advantages[k] ?? [],
      steps: b.steps,
      metadata: {},
    })),
    metadata: { story: story.stop },
  };
}

/**
 * Cross-trajectory advantages as a trainer would have logged them. The compacting rollout's trainer forgot that summary
 * tokens are trained too: it left them out of the count of tokens after each segment, so its factors are too large.
 */
function loggedAdvantages(story: Story, built: readonly Built[], values: readonly number[][]): number[][] {
  const output = runEstimator(
    'gae_cross',
    {
      gamma: 1,
      lambda: { mode: 'length_adaptive', alpha: 1.5, length: 'segment_trainable', max: 1 },
      factor: 'own',
      returns: 'local',
    },
    {
      rollouts: [
        {
          id: story.id,
          groupId: 'g',
          status: story.status === 'truncated' ? 'truncated' : 'terminated',
          reward: story.reward,
          segments: built.map((b, k) => ({ kind: b.story.kind, lossMask: b.mask, values: values[k] ?? [] })),
        },
      ],
    },
  );
  const result = output.rollouts[0];
  const counts = built.map((b) => (b.story.kind === 'summary' ? b.mask.filter((m) => m === 1).length : 0));
  return built.map((b, k) => {
    const forgotten = counts.slice(k + 1).reduce((sum, n) => sum + n, 0);
    const segment = result?.segments[k];
    const tooMuch = (segment?.lambda ?? 1) ** -forgotten;
    const advantages = segment?.columns.advantages;
    return b.mask.map((_, t) => f32((advantages?.[t] ?? 0) * tooMuch));
  });
}

/** The four records of the demo's main group. */
export function nativeRollouts(): Record<string, unknown>[] {
  return stories.map(buildRollout);
}
