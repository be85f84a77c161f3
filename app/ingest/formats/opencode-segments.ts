// The messages of an OpenCode session as segments. After a compaction the model sees the summary, the messages from
// `tail_start_id` on, and what comes then; where the summary failed, the context stays as it was.

import type { IngestEvent, ItemDraft, Json, PartDraft, Place } from '../../contract/ingest.ts';
import { counted } from '../emit.ts';
import type { JsonObject } from '../values.ts';
import { unknownItem } from './harness.ts';
import type { OpenCodeMessage } from './opencode-message.ts';

interface OpenCodeSegments {
  take(message: OpenCodeMessage): Generator<IngestEvent>;
  /** Shows what is no message where it stands. */
  odd(value: Json): Generator<IngestEvent>;
  end(): Generator<IngestEvent>;
}

/**
 * @param kind What the session's own segments are.
 * @param all All messages, for the copies that a new context begins with.
 */
export function openCodeSegments(
  rollout: string,
  kind: 'execution' | 'subagent',
  all: readonly OpenCodeMessage[],
  place: Place,
): OpenCodeSegments {
  const cleared = all.flatMap((message) => message.cleared).toSorted();
  let announced = 0;
  let opened = 0;
  /** The segment that messages go to; null before the next one opens it. */
  let current: number | null = null;
  /** What the next segment goes on from. */
  let after: {
    readonly summary: number;
    readonly parts: readonly PartDraft[];
    readonly tail: readonly OpenCodeMessage[];
  } | null = null;
  /** A message that asks for a compaction waits for the summary. */
  let asked: OpenCodeMessage | null = null;

  const item = (segment: number, draft: ItemDraft): IngestEvent => ({ type: 'item', rollout, segment, item: draft });

  function* ready(): Generator<IngestEvent, number> {
    if (current !== null) return current;
    const index = opened++;
    current = index;
    const link = after === null ? {} : { link: 'compaction' as const, parentIndex: after.summary };
    yield { type: 'segment', rollout, segment: { index, kind, kindSource: 'declared', ...link } };
    if (after !== null) {
      const title = 'Summary';
      yield item(index, {
        kind: 'input',
        role: 'assistant',
        copied: true,
        compactionSummary: true,
        title,
        parts: after.parts,
        place,
      });
      for (const { role, parts, time } of after.tail)
        yield item(index, { kind: 'input', role, copied: true, parts, time, place });
      after = null;
    }
    return index;
  }

  function* clearings(message: OpenCodeMessage): Generator<IngestEvent> {
    const due = cleared.slice(announced).filter((time) => message.time !== null && time <= message.time).length;
    if (due === 0) return;
    announced += due;
    const segment = yield* ready();
    const title = `${counted(due, 'result')} of tools cleared from the context`;
    yield item(segment, { kind: 'boundary', role: 'other', title, parts: [], place });
  }

  function* summary(message: OpenCodeMessage): Generator<IngestEvent> {
    const parent = yield* ready();
    const index = opened++;
    const [call] = message.calls;
    const trigger =
      asked?.compaction?.auto === undefined || asked.compaction.auto === null
        ? null
        : asked.compaction.auto
          ? 'auto'
          : 'manual';
    yield {
      type: 'segment',
      rollout,
      segment: {
        index,
        kind: 'summary',
        kindSource: 'declared',
        link: 'summary_of',
        parentIndex: parent,
        contextBefore: call?.promptTokens ?? null,
        trigger,
        durationMs: message.durationMs,
      },
    };
    if (asked !== null) yield item(index, inputOf(asked, place));
    yield* stepsOf(message, place).map((step) => item(index, { ...step, stepKind: 'summary' }));
    const failed = message.error !== null;
    if (!failed) {
      after = { summary: index, parts: message.parts, tail: tailOf(all, asked) };
      current = null;
    }
    asked = null;
  }

  function* waiting(): Generator<IngestEvent> {
    if (asked === null) return;
    const message = asked;
    asked = null;
    yield item(yield* ready(), inputOf(message, place));
  }

  return {
    take: function* (message) {
      yield* clearings(message);
      if (message.isSummary) {
        yield* summary(message);
        return;
      }
      yield* waiting();
      if (message.compaction !== null) {
        asked = message;
        return;
      }
      const segment = yield* ready();
      if (message.role !== 'assistant') yield item(segment, inputOf(message, place));
      else yield* stepsOf(message, place).map((step) => item(segment, step));
    },
    odd: function* (value) {
      yield item(yield* ready(), unknownItem(value, null, place));
    },
    end: function* () {
      yield* waiting();
      // A session without a message, or one that ends with its summary, has a segment all the same.
      if (opened === 0 || after !== null) yield* ready();
    },
  };
}

/** The messages that stay in the context besides the summary. */
function tailOf(all: readonly OpenCodeMessage[], asked: OpenCodeMessage | null): readonly OpenCodeMessage[] {
  const start = asked?.compaction?.tailStart ?? null;
  if (asked === null || start === null) return [];
  const from = all.findIndex(({ id }) => id === start);
  return from < 0 ? [] : all.slice(from, all.indexOf(asked));
}

function inputOf(message: OpenCodeMessage, place: Place): ItemDraft {
  const { role, parts, time, extra, compaction } = message;
  const title = compaction === null ? {} : { title: 'A compaction is asked for' };
  return {
    kind: 'input',
    role: role === 'assistant' ? 'other' : role,
    parts,
    time,
    place,
    ...title,
    ...extraOf(extra),
  };
}

/** The model calls of a reply; one that has nothing in it is shown too, for what its message says (an error). */
function stepsOf(message: OpenCodeMessage, place: Place): ItemDraft[] {
  const { calls, model, time, durationMs, extra, finish } = message;
  const none = { parts: [], finish, promptTokens: null, completionTokens: null, rest: [] };
  return (calls.length === 0 ? [none] : calls).map((call, i, list): ItemDraft => {
    const own = i === list.length - 1 ? extra : {};
    return {
      kind: 'step',
      role: 'assistant',
      stepKind: 'execution',
      parts: call.parts,
      model,
      time,
      place,
      finishReason: call.finish,
      promptTokens: call.promptTokens,
      completionTokens: call.completionTokens,
      ...(list.length === 1 ? { durationMs } : {}),
      ...extraOf({ ...own, ...(call.rest.length === 0 ? {} : { parts: [...call.rest] }) }),
    };
  });
}

function extraOf(extra: JsonObject): { extra?: JsonObject } {
  return Object.keys(extra).length === 0 ? {} : { extra };
}
