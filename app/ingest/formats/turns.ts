// A list of chat messages into turns: an assistant message with the tool messages that answer it is one turn, every
// other message is a turn of its own. An action and its observation are never separated.

import type { Json, PartDraft } from '../../contract/ingest.ts';
import type { ItemRole } from '../../contract/vocabulary.ts';
import { isObject, type JsonObject, object } from '../values.ts';
import { answeredCall, assistantParts, inputParts, observationParts, roleOf } from './messages.ts';

export interface Turn {
  readonly role: ItemRole;
  /** Index of the (first) message in the list. */
  readonly index: number;
  /** The message itself; null for an element that is no object. */
  readonly message: JsonObject | null;
  readonly parts: PartDraft[];
  /** Indices of the tool messages whose observations were joined to this turn. */
  readonly observations: number[];
}

/**
 * Joins messages to turns. A tool message goes to the turn whose call it names, else to the last assistant turn, else
 * (nothing was called yet) it stands alone with the role `tool`. An element that is no message becomes a raw turn.
 */
export function turnsOf(messages: readonly Json[]): Turn[] {
  const turns: Turn[] = [];
  const byCall = new Map<string, Turn>();
  let last: Turn | null = null;
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) {
      turns.push({
        role: 'other',
        index,
        message: null,
        parts: [{ kind: 'raw', text: JSON.stringify(message) }],
        observations: [],
      });
      continue;
    }
    const role = roleOf(message);
    // A tool message that our own exporter marked as an item of its own stays one.
    if (role === 'tool' && object(message, 'rollscope_item') === null) {
      const callId = answeredCall(message);
      const target: Turn | null = (callId === null ? undefined : byCall.get(callId)) ?? last;
      const name = target === null ? null : nameOfCall(target, callId);
      const parts = observationParts(message, name);
      if (target === null) {
        turns.push({ role, index, message, parts, observations: [] });
      } else {
        target.parts.push(...parts);
        target.observations.push(index);
      }
      continue;
    }
    const own =
      role === 'assistant'
        ? assistantParts(message)
        : role === 'tool'
          ? observationParts(message, null)
          : inputParts(message);
    const parts = role === 'assistant' || role === 'tool' ? own : unanswered(own, byCall, index);
    // A user message that held nothing but results of tools (Anthropic's notation) went to the turns that called them.
    if (parts.length === 0 && own.length > 0) continue;
    const turn: Turn = { role, index, message, parts, observations: [] };
    turns.push(turn);
    if (role !== 'assistant') continue;
    last = turn;
    for (const part of parts) if (part.kind === 'tool_call' && part.callId) byCall.set(part.callId, turn);
  }
  return turns;
}

/** Gives observations inside a user message to the turns whose calls they name; what is left stays in the message. */
function unanswered(parts: readonly PartDraft[], byCall: ReadonlyMap<string, Turn>, index: number): PartDraft[] {
  return parts.filter((part) => {
    const isResult = part.kind === 'observation' || part.kind === 'raw';
    const target = isResult && part.callId ? byCall.get(part.callId) : undefined;
    if (target === undefined) return true;
    target.parts.push({ ...part, name: nameOfCall(target, part.callId ?? null) });
    if (!target.observations.includes(index)) target.observations.push(index);
    return false;
  });
}

/** The tool that an observation belongs to: by the id of its call, else the call at the same position. */
function nameOfCall(turn: Turn, callId: string | null): string | null {
  const calls = turn.parts.filter((part) => part.kind === 'tool_call');
  if (callId !== null) {
    const named = calls.find((part) => part.callId === callId);
    if (named !== undefined) return named.name ?? null;
  }
  return calls[turn.observations.length]?.name ?? calls.at(-1)?.name ?? null;
}
