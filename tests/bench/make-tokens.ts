// A workspace with one very long rollout that has every column a trainer may log, written through the same code as an import.
// Deterministic.

import type { IngestEvent, TokenColumn } from '../../app/contract/ingest.ts';
import { close, openWriter } from '../../db/open.ts';
import { createIngestWriter } from '../../db/queries/ingest-write.ts';
import { createSource, finishSource } from '../../db/queries/sources.ts';
import { random } from '../../samples/story/tokens.ts';

/** Tokens of a step with its observation, and of its action alone. */
const stepTokens = 2_000;
const actionTokens = 1_400;
const prompt = 400;

/** Makes a workspace at `path` with one rollout of about `tokens` tokens in `segments` segments, known to its log as `long`. */
export function makeLongRollout(path: string, tokens: number, segments: number): void {
  const db = openWriter(path);
  const source = { path: '/bench/long.jsonl', format: 'native', formatTitle: 'Native', size: 1, mtimeMs: 1 };
  const id = createSource(db, source);
  const writer = createIngestWriter(db, id, { format: 'native', path: source.path });
  const next = random(11);
  db.transaction(() => {
    writer.write([
      {
        type: 'rollout',
        rollout: { key: 'long', externalId: 'long', groupId: 'g', trainingStep: 1, status: 'completed', reward: 1 },
      },
    ]);
    const each = Math.floor(tokens / segments);
    for (let index = 0; index < segments; index += 1) writer.write(segmentEvents(index, each, next));
    writer.write([{ type: 'rolloutEnd', rollout: 'long', patch: {} }]);
  });
  writer.finish();
  finishSource(db, id, { status: 'imported' });
  close(db);
}

/** A segment of actions and observations in turn. */
function segmentEvents(index: number, length: number, next: () => number): IngestEvent[] {
  const events: IngestEvent[] = [
    {
      type: 'segment',
      rollout: 'long',
      segment: {
        index,
        kind: index % 2 === 1 ? 'summary' : 'execution',
        kindSource: 'declared',
        link: index === 0 ? null : 'compaction',
        parentIndex: index === 0 ? null : index - 1,
      },
    },
    {
      type: 'item',
      rollout: 'long',
      segment: index,
      item: { kind: 'input', role: 'user', parts: [{ kind: 'text', text: `The task, part ${index + 1}.` }] },
    },
  ];
  for (let start = prompt; start + actionTokens <= length; start += stepTokens) {
    events.push({
      type: 'item',
      rollout: 'long',
      segment: index,
      item: {
        kind: 'step',
        role: 'assistant',
        parts: [{ kind: 'text', text: `Step at token ${start}.` }],
        tokenStart: start,
        tokenEnd: start + actionTokens,
      },
    });
  }
  events.push({ type: 'tokens', rollout: 'long', segment: index, columns: columnsOf(length, next) });
  return events;
}

/** Numbers that look like a trainer's: values that drift, log-probabilities with a long tail, engine and trainer nearly alike. */
function columnsOf(length: number, next: () => number): TokenColumn[] {
  const float = () => new Float32Array(length);
  const [values, engine, trainer, reference, advantages, entropy] = [
    float(),
    float(),
    float(),
    float(),
    float(),
    float(),
  ];
  const ids = new Int32Array(length);
  const mask = new Uint8Array(length);
  let value = 0.2;
  for (let t = 0; t < length; t += 1) {
    value = Math.min(1, Math.max(-1, value + (next() - 0.5) * 0.02));
    const surprise = next();
    const logprob = -0.02 - surprise ** 6 * 6;
    const slip = next() < 0.0005 ? 3 : 0.1;
    ids[t] = Math.floor(next() * 50_000);
    mask[t] = t >= prompt && (t - prompt) % stepTokens < actionTokens ? 1 : 0;
    values[t] = value;
    engine[t] = logprob;
    trainer[t] = logprob + (next() - 0.5) * slip;
    reference[t] = logprob - next() * 0.2;
    advantages[t] = 0.4 - value + (next() - 0.5) * 0.3;
    entropy[t] = surprise;
  }
  return [
    { name: 'ids', start: 0, data: ids },
    { name: 'loss_mask', start: 0, data: mask },
    { name: 'values', start: 0, data: values },
    { name: 'logprobs.rollout', start: 0, data: engine },
    { name: 'logprobs.train', start: 0, data: trainer },
    { name: 'logprobs.ref', start: 0, data: reference },
    { name: 'advantages', start: 0, data: advantages },
    { name: 'entropy', start: 0, data: entropy },
  ];
}
