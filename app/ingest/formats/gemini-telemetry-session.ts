// One session of Gemini CLI from its telemetry. The calls of the main agent are its context; calls with another role (a
// sub-agent, the compressor, a router) have contexts of their own. After a compression the next request begins a new segment.

import type { IngestEvent, Json, Place } from '../../contract/ingest.ts';
import { alertEvent, previewOf } from '../emit.ts';
import { get, isArray, type JsonObject, leftover, number, text, timeIn } from '../values.ts';
import { type CallStream, callStream, contextOf, jsonIn, type RequestContext } from './gemini-telemetry-stream.ts';
import { notShown, tally, textParts, unknownAlert } from './harness.ts';

export interface TelemetrySession {
  /** Takes a log record of the session. */
  take(name: string, attributes: JsonObject, place: Place, resource: JsonObject | null): Generator<IngestEvent>;
  end(): Generator<IngestEvent>;
}

/** What every record of a session repeats. */
const repeated: ReadonlySet<string> = new Set([
  'session.id',
  'installation.id',
  'user.email',
  'interactive',
  'auth_type',
  'experiments.ids',
]);
const commonKeys: ReadonlySet<string> = new Set([...repeated, 'event.name', 'event.timestamp']);
const without = (...keys: readonly string[]): ReadonlySet<string> => new Set([...commonKeys, ...keys]);
const mappedRequest = without('model', 'prompt_id', 'role', 'request_text');
const mappedResponse = without(
  'model',
  'response_text',
  'input_token_count',
  'output_token_count',
  'duration_ms',
  'finish_reasons',
);

/** The stream of calls that are not the main agent's although no record says so. */
const asideRole = 'other calls';

/** A session of which no record was seen. */
export function telemetrySession(id: string): TelemetrySession {
  const streams = new Map<string, CallStream>();
  const notes = tally({ 'records-not-shown': notShown });
  let begun = false;
  let segments = 0;
  let model: string | null = null;
  let config: JsonObject | null = null;
  let about: JsonObject = {};
  let preview = '';
  let ended: string | null = null;
  let finished: Json | undefined;
  /** A prompt that no request has held so far. */
  let prompt: { readonly said: string; readonly time: string | null; readonly place: Place } | null = null;
  /** Where the reply to a call belongs that is not the main agent's although its records do not say so. */
  let aside: CallStream | null = null;
  /** A compression since the last request of the main agent: the segment of its summary, and the sizes it reports. */
  let compression: { summary: number | null; before: number | null; after: number | null } | null = null;

  const open = (draft: Omit<Parameters<typeof callStream>[1], 'index'>): { stream: CallStream; event: IngestEvent } => {
    const segment = { ...draft, index: segments++ };
    return { stream: callStream(id, segment), event: { type: 'segment', rollout: id, segment } };
  };

  function* streamOf(role: string, promptId: string | null, restarted = false): Generator<IngestEvent, CallStream> {
    const isMain = role === 'main' || role === '';
    const name = role === 'subagent' ? `${role} ${promptId ?? ''}` : isMain ? 'main' : role;
    const known = streams.get(name);
    if (known !== undefined && !restarted) return known;
    const parent = streams.get('main')?.segment ?? null;
    const hung = parent === null ? {} : { parentIndex: parent };
    const shared = { kindSource: 'declared' as const, ...(isMain ? {} : { agent: role }) };
    let made: ReturnType<typeof open>;
    if (isMain) {
      const { summary = null, before = null, after = null } = compression ?? {};
      const link = known === undefined ? {} : { link: 'compaction' as const, parentIndex: summary ?? known.segment };
      made = open({ ...shared, kind: 'execution', ...link, contextBefore: before, contextAfter: after });
      if (known !== undefined) yield* known.settle(true);
      made.stream.goesOnFrom(known ?? null);
    } else if (role === 'utility_compressor') {
      made = open({ ...shared, kind: 'summary', link: 'summary_of', ...hung });
    } else if (role === 'subagent') {
      made = open({ ...shared, kind: 'subagent', link: 'subagent', ...hung });
    } else {
      made = open({ ...shared, kind: 'other', ...hung });
    }
    streams.set(name, made.stream);
    yield made.event;
    return made.stream;
  }

  /** The stream of a request; a compression before it begins a new segment, if only the context is another one. */
  function* requested(
    role: string,
    promptId: string | null,
    contents: RequestContext | null,
  ): Generator<IngestEvent, CallStream> {
    if (role !== '' && role !== 'main') return yield* streamOf(role, promptId);
    const main = streams.get('main');
    if (main === undefined) return yield* streamOf(role, promptId);
    const goesOn = contents === null ? null : main.goesOn(contents);
    // Without the texts only the event tells.
    const restarted = compression !== null && (goesOn === null ? compression.before !== null : goesOn !== 'all');
    const stream = yield* streamOf(role, promptId, restarted);
    compression = null;
    if (role !== '' || restarted || goesOn !== 'none') return stream;
    // Older versions do not say who calls: what begins in another way is no call of the main agent.
    aside = yield* streamOf(asideRole, null);
    return aside;
  }

  function showPrompt(stream: CallStream): void {
    if (prompt === null) return;
    const { said, time, place } = prompt;
    prompt = null;
    stream.add({ kind: 'input', role: 'user', time, place, parts: textParts('text', said) });
  }

  function* boundary(title: string, said: string | null, attributes: JsonObject, place: Place): Generator<IngestEvent> {
    const stream = yield* streamOf('main', null);
    const extra = leftover(attributes, commonKeys);
    const time = timeIn(attributes, 'event.timestamp');
    const kept = extra === undefined ? {} : { extra };
    stream.add({ kind: 'boundary', role: 'other', title, time, place, parts: textParts('text', said), ...kept });
  }

  function* response(attributes: JsonObject, place: Place): Generator<IngestEvent> {
    const role = text(attributes, 'role') ?? '';
    const stream = role === '' && aside !== null ? aside : yield* streamOf(role, text(attributes, 'prompt_id'));
    if (stream !== aside && (role === '' || role === 'main')) showPrompt(stream);
    aside = null;
    model ??= text(attributes, 'model');
    const output = number(attributes, 'output_token_count');
    const thoughts = number(attributes, 'thoughts_token_count') ?? 0;
    const reasons = get(attributes, 'finish_reasons');
    const [reason] = isArray(reasons) ? reasons : [];
    const extra = leftover(attributes, mappedResponse);
    stream.reply(jsonIn(attributes, 'response_text'), {
      model: text(attributes, 'model'),
      time: timeIn(attributes, 'event.timestamp'),
      durationMs: number(attributes, 'duration_ms'),
      promptTokens: number(attributes, 'input_token_count'),
      completionTokens: output === null ? null : output + thoughts,
      finishReason: typeof reason === 'string' ? reason : null,
      stepKind: role === 'utility_compressor' ? 'summary' : 'execution',
      place,
      ...(extra === undefined ? {} : { extra }),
    });
    if (role !== 'utility_compressor') return;
    compression = { before: null, after: null, ...compression, summary: stream.segment };
    // The next compression has a segment of its own.
    yield* stream.settle(true);
    streams.delete(role);
  }

  function* record(name: string, attributes: JsonObject, place: Place): Generator<IngestEvent> {
    switch (name) {
      case 'gemini_cli.config':
        config = leftover(attributes, commonKeys) ?? {};
        model ??= text(attributes, 'model');
        return;
      case 'gemini_cli.user_prompt': {
        const said = text(attributes, 'prompt');
        if (prompt !== null) showPrompt(yield* streamOf('main', null));
        if (said === null) return yield* boundary('A prompt whose text was not logged', null, attributes, place);
        if (preview === '') preview = previewOf(said);
        prompt = { said, time: timeIn(attributes, 'event.timestamp'), place };
        return;
      }
      case 'gemini_cli.api_request': {
        const given = contextOf(attributes);
        const role = text(attributes, 'role') ?? '';
        const stream = yield* requested(role, text(attributes, 'prompt_id'), given);
        const time = timeIn(attributes, 'event.timestamp');
        const extra = leftover(attributes, mappedRequest);
        if (extra !== undefined)
          stream.add({ kind: 'boundary', role: 'other', title: 'A request says more', time, place, parts: [], extra });
        if (given === null) return;
        // The prompt stands in the request.
        const quoted = prompt === null ? null : JSON.stringify(prompt.said).slice(1, -1);
        if (quoted !== null && stream === streams.get('main') && JSON.stringify(given.contents).includes(quoted))
          prompt = null;
        stream.request(given, time, place, role.startsWith('utility') || stream === aside);
        return;
      }
      case 'gemini_cli.api_response':
        return yield* response(attributes, place);
      case 'gemini_cli.tool_call': {
        const stream = yield* streamOf('main', null);
        showPrompt(stream);
        stream.toolCall(attributes, leftover(attributes, commonKeys) ?? {}, place);
        return;
      }
      case 'gemini_cli.api_error':
        return yield* boundary('The API answered with an error', text(attributes, 'error.message'), attributes, place);
      case 'gemini_cli.chat_compression':
        compression = {
          summary: compression?.summary ?? null,
          before: number(attributes, 'tokens_before'),
          after: number(attributes, 'tokens_after'),
        };
        return yield* boundary('The context was compressed', null, attributes, place);
      case 'gemini_cli.conversation_finished':
        finished = leftover(attributes, commonKeys);
        return;
      default:
        notes.add('records-not-shown', name, place);
        if (!/^(?:gemini_cli\.|gen_ai\.|approval_mode|plan_)/u.test(name))
          yield alertEvent({ ...unknownAlert(attributes, `A log record named ${name}`, place), rollout: id });
    }
  }

  return {
    take: function* (name, attributes, place, resource) {
      const time = timeIn(attributes, 'event.timestamp');
      if (!begun) {
        begun = true;
        // What every record of the session repeats is kept once.
        about = { ...leftover(attributes, new Set(Object.keys(attributes).filter((key) => !repeated.has(key)))) };
        if (resource !== null) about = { ...about, resource };
        const shared = { key: id, externalId: id, agent: 'gemini-cli', status: 'unknown' as const, reward: null };
        yield { type: 'rollout', rollout: { ...shared, startedAt: time, place } };
      }
      ended = time ?? ended;
      yield* record(name, attributes, place);
      for (const stream of streams.values()) yield* stream.settle();
    },
    end: function* () {
      if (prompt !== null) showPrompt(yield* streamOf('main', null));
      if (segments === 0) yield* streamOf('main', null);
      for (const stream of streams.values()) yield* stream.settle(true);
      yield* notes.alerts(id);
      const kept = {
        ...about,
        ...(config === null ? {} : { config }),
        ...(finished === undefined ? {} : { finished }),
      };
      const patch = { model, endedAt: ended, preview, ...(Object.keys(kept).length === 0 ? {} : { extra: kept }) };
      const status = finished === undefined ? {} : { status: 'completed' as const };
      yield { type: 'rolloutEnd', rollout: id, patch: { ...patch, ...status } };
    },
  };
}
