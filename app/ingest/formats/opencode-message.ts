// One message of an OpenCode session: who said it, its parts, and for a reply the model calls that it consists of.

import type { Json, PartDraft, Place } from '../../contract/ingest.ts';
import type { ItemRole } from '../../contract/vocabulary.ts';
import { isoTime } from '../emit.ts';
import {
  array,
  flag,
  get,
  idText,
  integer,
  isObject,
  type JsonObject,
  leftover,
  number,
  object,
  objects,
  text,
} from '../values.ts';
import { type tally, textParts } from './harness.ts';

/** One model call of a reply. */
interface OpenCodeCall {
  readonly parts: readonly PartDraft[];
  readonly finish: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** What of the parts no field holds. */
  readonly rest: readonly JsonObject[];
}

export interface OpenCodeMessage {
  readonly id: string | null;
  readonly role: ItemRole;
  readonly parts: readonly PartDraft[];
  readonly calls: readonly OpenCodeCall[];
  readonly model: string | null;
  readonly time: string | null;
  readonly durationMs: number | null;
  readonly finish: string | null;
  /** The name of the error that ended a reply. */
  readonly error: string | null;
  /** The reply is the summary of a compaction. */
  readonly isSummary: boolean;
  /** The message asks for a compaction. */
  readonly compaction: { readonly auto: boolean | null; readonly tailStart: string | null } | null;
  /** When results of its tools were cleared from the context, ISO times. */
  readonly cleared: readonly string[];
  /** What the message holds besides. */
  readonly extra: JsonObject;
  /** Parts of unknown types. */
  readonly odd: readonly Json[];
}

const mappedInfo = new Set(['id', 'sessionID', 'role', 'time', 'modelID', 'finish', 'summary', 'tokens']);
/** Parts that keep the program going. */
const administrative = new Set(['step-start', 'snapshot']);

/** A message; null for what has no info with a role and no parts. */
export function openCodeMessage(value: Json, notes: ReturnType<typeof tally>, place: Place): OpenCodeMessage | null {
  const info = isObject(value) ? object(value, 'info') : null;
  const given = isObject(value) ? array(value, 'parts') : null;
  const said = info === null ? null : text(info, 'role');
  if (info === null || given === null || said === null) return null;
  const role: ItemRole = said === 'user' || said === 'assistant' || said === 'system' ? said : 'other';
  const time = object(info, 'time') ?? {};
  const [began, ended] = [number(time, 'created'), number(time, 'completed')];
  const error = object(info, 'error');
  const odd: Json[] = [];
  const parts: PartDraft[] = [];
  const rest: JsonObject[] = [];
  const calls: OpenCodeCall[] = [];
  const cleared: string[] = [];
  let compaction: OpenCodeMessage['compaction'] = null;
  let own: { parts: PartDraft[]; rest: JsonObject[]; finish: JsonObject | null } = {
    parts: [],
    rest: [],
    finish: null,
  };
  const close = (): void => {
    if (own.parts.length > 0 || own.finish !== null) calls.push(callOf(own, info));
    own = { parts: [], rest: [], finish: null };
  };
  for (const part of given) {
    const type = isObject(part) ? text(part, 'type') : null;
    const read = isObject(part) && type !== null ? partsOf(part, type) : null;
    if (isObject(part) && type === 'step-start') close();
    if (isObject(part) && type === 'step-finish') own.finish = part;
    else if (isObject(part) && type === 'compaction')
      compaction = { auto: flag(part, 'auto'), tailStart: idText(part, 'tail_start_id') };
    else if (type !== null && administrative.has(type)) notes.add('records-not-shown', type, place);
    else if (read === null) {
      odd.push(part);
      own.parts.push({ kind: 'raw', text: JSON.stringify(part) });
      parts.push({ kind: 'raw', text: JSON.stringify(part) });
    } else {
      own.parts.push(...read.parts);
      parts.push(...read.parts);
      own.rest.push(...read.rest);
      rest.push(...read.rest);
      if (read.cleared !== null) cleared.push(read.cleared);
    }
  }
  close();
  const kept = leftover(info, mappedInfo) ?? {};
  return {
    id: idText(info, 'id'),
    role,
    parts,
    calls,
    model: text(info, 'modelID'),
    time: isoTime(began),
    durationMs: began === null || ended === null || ended < began ? null : ended - began,
    finish: text(info, 'finish'),
    error: error === null ? null : (text(error, 'name') ?? 'error'),
    // In messages of the user the word means something else.
    isSummary: role === 'assistant' && flag(info, 'summary') === true,
    compaction,
    cleared,
    extra: {
      ...kept,
      ...(role === 'assistant' || !isObject(get(info, 'summary')) ? {} : { summary: object(info, 'summary') }),
      ...(role === 'assistant' || rest.length === 0 ? {} : { parts: rest }),
      ...leftover(isObject(value) ? value : {}, new Set(['info', 'parts'])),
    },
    odd,
  };
}

function callOf(
  own: {
    readonly parts: readonly PartDraft[];
    readonly rest: readonly JsonObject[];
    readonly finish: JsonObject | null;
  },
  info: JsonObject,
): OpenCodeCall {
  const { finish } = own;
  const tokens = object(finish ?? info, 'tokens') ?? {};
  const cache = object(tokens, 'cache') ?? {};
  const [input, output] = [integer(tokens, 'input'), integer(tokens, 'output')];
  const rest = finish === null ? undefined : leftover(finish, mappedFinish);
  return {
    parts: own.parts,
    finish: (finish === null ? null : text(finish, 'reason')) ?? text(info, 'finish'),
    // Tokens that were read from a cache and tokens of reasoning are counted apart.
    promptTokens: input === null ? null : input + (integer(cache, 'read') ?? 0) + (integer(cache, 'write') ?? 0),
    completionTokens: output === null ? null : output + (integer(tokens, 'reasoning') ?? 0),
    rest: rest === undefined ? own.rest : [...own.rest, rest],
  };
}

const ids = ['id', 'sessionID', 'messageID', 'type'];
const mappedFinish = new Set([...ids, 'reason', 'tokens', 'snapshot']);
const mappedText = new Set([...ids, 'text', 'time']);
const mappedTool = new Set([...ids, 'callID', 'tool', 'state']);
const mappedState = new Set(['status', 'input', 'output', 'error', 'attachments']);

interface ReadPart {
  readonly parts: readonly PartDraft[];
  readonly rest: readonly JsonObject[];
  readonly cleared: string | null;
}

/** A part as parts of an item; null for one of an unknown type. */
function partsOf(part: JsonObject, type: string): ReadPart | null {
  const kept = (mapped: ReadonlySet<string>): JsonObject[] => {
    const rest = leftover(part, mapped);
    return rest === undefined ? [] : [{ type, ...rest }];
  };
  const said = text(part, 'text');
  switch (type) {
    case 'text':
      // The model does not see a text that is to be ignored.
      if (flag(part, 'ignored') === true) return { parts: [], rest: [part], cleared: null };
      return said === null ? null : { parts: textParts('text', said), rest: kept(mappedText), cleared: null };
    case 'reasoning':
      return said === null ? null : { parts: textParts('reasoning', said), rest: kept(mappedText), cleared: null };
    case 'tool':
      return toolPart(part);
    case 'file':
    case 'subtask':
      return { parts: [{ kind: 'raw', text: JSON.stringify(part) }], rest: [], cleared: null };
    case 'agent':
    case 'patch':
    case 'retry':
      return { parts: [], rest: kept(new Set(['id', 'sessionID', 'messageID', 'type'])), cleared: null };
    default:
      return null;
  }
}

function toolPart(part: JsonObject): ReadPart | null {
  const state = object(part, 'state');
  if (state === null) return null;
  const tie = { name: text(part, 'tool'), callId: idText(part, 'callID') };
  const input = get(state, 'input') ?? {};
  const call: PartDraft = {
    kind: 'tool_call',
    text: typeof input === 'string' ? input : JSON.stringify(input),
    ...tie,
  };
  const [output, error] = [text(state, 'output'), text(state, 'error')];
  const observed: PartDraft[] =
    output !== null
      ? [{ kind: 'observation', text: output, ...tie }]
      : error !== null
        ? [{ kind: 'observation', text: error, ...tie, isError: true }]
        : [];
  // A call that was still running has a status and no result.
  const waiting = observed.length === 0 ? { status: text(state, 'status') } : {};
  const kept = { ...leftover(part, mappedTool), ...leftover(state, mappedState), ...waiting };
  const files = objects(state, 'attachments').map(
    (file): PartDraft => ({ kind: 'raw', text: JSON.stringify(file), ...tie }),
  );
  return {
    parts: [call, ...observed, ...files],
    rest: Object.keys(kept).length === 0 ? [] : [{ type: 'tool', callID: tie.callId, ...kept }],
    cleared: isoTime(get(object(state, 'time') ?? {}, 'compacted') ?? null),
  };
}
