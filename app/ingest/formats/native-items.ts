// The items of one native segment: its messages joined with its steps (one step = one model call), and what of the
// prompt was carried over from earlier segments.

import type { ItemDraft, Json, PartDraft, Place } from '../../contract/ingest.ts';
import type { ItemKind } from '../../contract/vocabulary.ts';
import { isoTime } from '../emit.ts';
import { array, get, idText, integer, isObject, type JsonObject, leftover, number, object, text } from '../values.ts';
import { assistantParts } from './messages.ts';
import { type Turn, turnsOf } from './turns.ts';

/** Set by native-write.ts on segments whose messages say themselves (`rollscope_item`) what they are. */
export const itemsStatedKey = 'rollscope_items';

/** What the segments before this one held; one per rollout, filled as the segments are read. */
export interface Earlier {
  /** Messages (role and content) of earlier segments. */
  readonly messages: Set<string>;
  /** Texts of summaries that earlier steps wrote. */
  readonly summaries: string[];
}

export interface SegmentItems {
  readonly items: readonly ItemDraft[];
  /** Action spans of the steps, in order, as given by the log. */
  readonly spans: readonly (readonly [number, number])[];
  /** Texts of the summaries that this segment's steps wrote. */
  readonly summaries: readonly string[];
}

/** The items of a native segment. `first` tells that no segment stands before it, so that nothing in it is a copy. */
export function itemsOf(segment: JsonObject, earlier: Earlier, first: boolean, place: Place): SegmentItems {
  const messages = array(segment, 'messages');
  const steps = (array(segment, 'steps') ?? []).filter(isObject);
  const turns = messages === null ? [] : turnsOf(messages);
  const stepOfTurn = matchSteps(turns, steps);
  const summarySegment = text(segment, 'kind') === 'summary';
  // Our own exporter says of every message what it is; nothing is concluded then.
  const stated = get(segment, itemsStatedKey) === true;
  const prompt = first || stated ? 0 : promptEnd(turns, steps, stepOfTurn, earlier);
  const items: ItemDraft[] = [];
  const spans: (readonly [number, number])[] = [];
  const summaries: string[] = [];
  let next = 0;

  const pushStep = (step: JsonObject | null, turn: Turn | null): void => {
    const parts = turn?.parts ?? partsOfStep(step);
    const kind = (step === null ? null : text(step, 'kind')) ?? (summarySegment ? 'summary' : 'execution');
    const stepKind = kind === 'summary' ? 'summary' : 'execution';
    if (stepKind === 'summary') {
      const summary = parts
        .filter((part) => part.kind === 'text')
        .map((part) => part.text)
        .join('\n')
        .trim();
      if (summary !== '') summaries.push(summary);
    }
    const span = step === null ? null : spanOf(step);
    if (span !== null) spans.push(span);
    items.push({
      kind: 'step',
      role: 'assistant',
      stepKind,
      parts,
      place,
      ...stepFields(step, span),
      ...messageExtra(turn, step),
    });
  };

  for (const [position, turn] of turns.entries()) {
    const step = stepOfTurn.get(turn);
    // Steps that stand in no message come before the next one that does.
    if (step !== undefined) for (; next < step; next++) pushStep(steps[next] ?? null, null);
    if (step !== undefined) {
      pushStep(steps[step] ?? null, turn);
      next = step + 1;
    } else if (turn.role === 'assistant' && steps.length === 0 && position >= prompt && hintOf(turn) === null) {
      pushStep(null, turn);
    } else {
      items.push(otherItem(turn, position < prompt, earlier, place));
    }
  }
  for (; next < steps.length; next++) pushStep(steps[next] ?? null, null);
  return { items, spans, summaries };
}

/** Role and content of a message, to tell whether it is a copy of an earlier one. */
export function messageKey(message: JsonObject): string {
  return JSON.stringify([
    get(message, 'role') ?? null,
    get(message, 'content') ?? null,
    get(message, 'tool_calls') ?? null,
  ]);
}

/** Whether a text contains one of the summaries (white space at the ends aside), or the inside of its <summary> tags. */
export function carriesSummary(content: string, summaries: readonly string[]): boolean {
  return summaries.some((summary) => {
    if (content.includes(summary)) return true;
    const inner = /<summary>([\s\S]*)<\/summary>/u.exec(summary)?.[1]?.trim();
    return inner !== undefined && inner !== '' && content.includes(inner);
  });
}

/** Which step each assistant turn is: by `message_index`, else by an equal `message`, else by order. */
function matchSteps(turns: readonly Turn[], steps: readonly JsonObject[]): Map<Turn, number> {
  const assistants = turns.filter((turn) => turn.role === 'assistant');
  const stepOfTurn = new Map<Turn, number>();
  const unplaced = steps.filter((step) => integer(step, 'message_index') === null && object(step, 'message') === null);
  // Steps that do not say where they stand are the last assistant messages: what comes before is carried context.
  let from = unplaced.length === steps.length ? Math.max(0, assistants.length - steps.length) : 0;
  for (const [i, step] of steps.entries()) {
    const index = integer(step, 'message_index');
    const message = object(step, 'message');
    let at = index === null ? -1 : assistants.findIndex((turn) => turn.index === index);
    if (at < 0 && message !== null) {
      const key = messageKey(message);
      at = assistants.findIndex((turn, k) => k >= from && turn.message !== null && messageKey(turn.message) === key);
    }
    if (at < 0 && from < assistants.length && index === null) at = from;
    const turn = at < from ? undefined : assistants[at];
    if (turn === undefined || stepOfTurn.has(turn)) continue;
    stepOfTurn.set(turn, i);
    from = at + 1;
  }
  return stepOfTurn;
}

/** How many turns of a later segment lie in its prompt: those before its first own action. */
function promptEnd(
  turns: readonly Turn[],
  steps: readonly JsonObject[],
  stepOfTurn: ReadonlyMap<Turn, number>,
  earlier: Earlier,
): number {
  const firstStep = turns.findIndex((turn) => stepOfTurn.has(turn));
  if (firstStep >= 0) return firstStep;
  if (steps.length > 0) return turns.length;
  // Without steps: the first assistant message that was not said before.
  const own = turns.findIndex((turn) => turn.role === 'assistant' && !isRepeat(turn, earlier));
  return own < 0 ? turns.length : own;
}

function isRepeat(turn: Turn, earlier: Earlier): boolean {
  return turn.message !== null && earlier.messages.has(messageKey(turn.message));
}

function otherItem(turn: Turn, inPrompt: boolean, earlier: Earlier, place: Place): ItemDraft {
  const hint = hintOf(turn);
  const summary = inPrompt && turn.role !== 'system' && carriesSummary(textOf(turn.parts), earlier.summaries);
  const copied = inPrompt && (summary || turn.role === 'assistant' || isRepeat(turn, earlier));
  const title = hint === null ? null : text(hint, 'title');
  return {
    kind: hint === null ? (turn.message === null ? 'unknown' : 'input') : kindOf(hint),
    role: turn.role,
    parts: turn.parts,
    place,
    ...(copied || (hint !== null && get(hint, 'copied') === true) ? { copied: true } : {}),
    ...(summary || (hint !== null && get(hint, 'compaction_summary') === true) ? { compactionSummary: true } : {}),
    ...(title === null ? {} : { title }),
    ...messageExtra(turn, null),
  };
}

/** Our own exporter's word on a message that is no plain input: see native-write.ts. */
function hintOf(turn: Turn): JsonObject | null {
  return turn.message === null ? null : object(turn.message, 'rollscope_item');
}

function kindOf(hint: JsonObject): ItemKind {
  const kind = text(hint, 'kind');
  return kind === 'boundary' || kind === 'unknown' ? kind : 'input';
}

function textOf(parts: readonly PartDraft[]): string {
  return parts
    .filter((part) => part.kind === 'text' || part.kind === 'reasoning')
    .map((part) => part.text)
    .join('\n');
}

function partsOfStep(step: JsonObject | null): PartDraft[] {
  const message = step === null ? null : object(step, 'message');
  return message === null ? [] : assistantParts(message);
}

/** The action span of a step when it is a pair of integers in order, else null. */
function spanOf(step: JsonObject): readonly [number, number] | null {
  const [start, end] = array(step, 'action') ?? [];
  if (typeof start !== 'number' || typeof end !== 'number') return null;
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end ? [start, end] : null;
}

function stepFields(step: JsonObject | null, span: readonly [number, number] | null): Partial<ItemDraft> {
  if (step === null) return {};
  const usage = object(step, 'usage') ?? {};
  const time = object(step, 'time') ?? {};
  const started = isoTime(get(time, 'start'));
  const ended = isoTime(get(time, 'end'));
  return {
    tokenStart: span?.[0] ?? null,
    tokenEnd: span?.[1] ?? null,
    reward: number(step, 'reward'),
    advantage: number(step, 'advantage'),
    weightVersion: idText(step, 'weight_version'),
    finishReason: text(step, 'finish_reason'),
    model: text(step, 'model'),
    promptTokens: integer(usage, 'prompt_tokens') ?? integer(step, 'prompt_end'),
    completionTokens: integer(usage, 'completion_tokens') ?? (span === null ? null : span[1] - span[0]),
    time: started,
    durationMs: started === null || ended === null ? null : Date.parse(ended) - Date.parse(started),
  };
}

const mappedMessage = new Set([
  'role',
  'content',
  'reasoning_content',
  'reasoning',
  'thinking',
  'tool_calls',
  'refusal',
  'rollscope_item',
]);
const mappedStep = new Set([
  'i',
  'kind',
  'prompt_end',
  'action',
  'message',
  'message_index',
  'reward',
  'advantage',
  'weight_version',
  'finish_reason',
  'model',
  'time',
]);

/** Keys of message and step that no field shows. */
function messageExtra(turn: Turn | null, step: JsonObject | null): { extra?: Json } {
  const ofMessage = turn?.message == null ? undefined : leftover(turn.message, mappedMessage);
  const ofStep = step === null ? undefined : leftover(step, mappedStep);
  if (ofMessage === undefined && ofStep === undefined) return {};
  return {
    extra: {
      ...(ofMessage === undefined ? {} : { message: ofMessage }),
      ...(ofStep === undefined ? {} : { step: ofStep }),
    },
  };
}
