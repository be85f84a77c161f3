// One OpenHands conversation while its events are read. Events of one model call become one step; a condensation ends
// the segment, and the next one opens with what it kept as copied context, the summary at its place.

import type { IngestEvent, ItemDraft, Json, PartDraft, Place, RolloutDraft } from '../../contract/ingest.ts';
import type { RolloutStatus } from '../../contract/vocabulary.ts';
import { alertEvent, previewOf } from '../emit.ts';
import { array, idText, type JsonObject, object } from '../values.ts';
import { type TokenSequence, tokenSequence } from './atif-tokens.ts';
import { notShown, tally, textParts, unknownItem } from './harness.ts';
import { type OpenItem, type SegmentWriter, segmentWriter } from './segment-writer.ts';
import { type Outcome, outcomeFields } from './swe-bench-report.ts';

export type Fields = Omit<ItemDraft, 'parts'>;

/** One action of the agent, or a message that it wrote. */
export interface Action {
  readonly eventId: string | null;
  /** Actions of the same model call share it; null for a call of its own. */
  readonly callKey: string | null;
  readonly parts: readonly PartDraft[];
  /** Fields of the step, used when the action opens it. */
  readonly fields: Partial<Fields>;
  /** What no part holds of the event. */
  readonly rest: JsonObject;
  readonly place: Place;
}

export interface Condensation {
  readonly eventId: string | null;
  readonly forgets: (eventId: string) => boolean;
  readonly summary: string | null;
  /** Where the summary stands, counted in events that are left. */
  readonly offset: number | null;
  readonly rest: JsonObject;
  readonly time: string | null;
  readonly place: Place;
}

export interface Conversation {
  readonly key: string;
  input(eventId: string | null, fields: Fields, parts: readonly PartDraft[]): IngestEvent[];
  action(action: Action): IngestEvent[];
  /** The observation of a call; of the last call without one where `callId` is null. */
  observe(
    eventId: string | null,
    callId: string | null,
    parts: readonly PartDraft[],
    rest: JsonObject,
    fields: Fields,
  ): IngestEvent[];
  condense(condensation: Condensation): IngestEvent[];
  /** The token ids of the newest model call; false when there is no call that they could belong to. */
  tokens(prompt: Json, completion: Json): boolean;
  unknown(event: JsonObject, name: string, place: Place): IngestEvent[];
  notShown(name: string, place: Place): void;
  /** The tool call of an action event, by the event's id. */
  callOf(eventId: string): string | null;
  linkCall(eventId: string, callId: string): void;
  /** A number that no event of the conversation has had, for logs without ids. */
  serial(): string;
  patch(patch: {
    status?: RolloutStatus;
    statusDetail?: string | null;
    model?: string | null;
    time?: string | null;
  }): void;
  end(state: JsonObject | null): IngestEvent[];
}

interface Shown {
  readonly events: string[];
  readonly item: OpenItem;
}

/** A conversation for a rollout whose draft is given; its outcome may come from a report beside the file. */
export function conversation(draft: RolloutDraft, outcome: Outcome | null): Conversation {
  const { key } = draft;
  let segments = 0;
  let writer: SegmentWriter | null = null;
  let opened = false;
  let view: Shown[] = [];
  let call: { key: string; shown: Shown } | null = null;
  let open: string[] = [];
  let newest: OpenItem | null = null;
  let sequence: TokenSequence | null = null;
  let preview = draft.preview ?? '';
  let patched: { status?: RolloutStatus; statusDetail?: string | null; model?: string | null } = {};
  let started: string | null = null;
  let ended: string | null = null;
  const calls = new Map<string, string>();
  let serials = 0;
  const notes = tally({
    'records-not-shown': notShown,
    'record-unknown': {
      severity: 'info',
      describe: (name, n) => `${n} events of an unknown kind (${name}); shown as they stand.`,
    },
    'observation-unpaired': {
      severity: 'info',
      describe: (_, n) => `${n} observations stand without their action in the log; shown where they stand.`,
    },
  });
  let out: IngestEvent[] = [];

  const begin = (): void => {
    if (opened) return;
    opened = true;
    const fields = outcome === null ? {} : outcomeFields(outcome);
    out.push({ type: 'rollout', rollout: { agent: 'openhands', ...draft, ...fields } });
  };

  const target = (): SegmentWriter => {
    begin();
    if (writer !== null) return writer;
    writer = segmentWriter(key, segments);
    out.push({
      type: 'segment',
      rollout: key,
      segment: { index: segments++, kind: 'execution', kindSource: 'declared' },
    });
    return writer;
  };

  const show = (eventId: string | null, fields: Fields, parts: readonly PartDraft[]): Shown => {
    const shown = { events: eventId === null ? [] : [eventId], item: target().add(fields, parts) };
    view.push(shown);
    return shown;
  };

  const flush = (): IngestEvent[] => {
    if (writer !== null) out.push(...writer.settle());
    const events = out;
    out = [];
    return events;
  };

  const keep = (item: OpenItem, rest: JsonObject): void => {
    const known = object({ extra: item.fields.extra ?? null }, 'extra');
    const events = [...(known === null ? [] : (array(known, 'events') ?? [])), rest];
    item.fields = { ...item.fields, extra: { events } };
  };

  /** Ends the token sequence of the segment. */
  const closeTokens = (segment: number): void => {
    const tokens = sequence?.end();
    sequence = null;
    newest = null;
    if (tokens === undefined || tokens.columns.length === 0) return;
    out.push({ type: 'tokens', rollout: key, segment, columns: tokens.columns });
    out.push({ type: 'segmentEnd', rollout: key, segment, patch: { promptLength: tokens.promptLength } });
    out.push(...tokens.alerts.map((alert) => alertEvent({ ...alert, rollout: key })));
  };

  const condense = (condensation: Condensation): void => {
    const before = target();
    out.push(...before.settle(true));
    closeTokens(before.segment);
    call = null;
    open = [];
    const { summary, place, time, rest } = condensation;
    let parentIndex = before.segment;
    if (summary !== null) {
      parentIndex = segments++;
      const segment = {
        index: parentIndex,
        kind: 'summary',
        kindSource: 'declared',
        link: 'summary_of',
        parentIndex: before.segment,
        externalId: condensation.eventId,
        extra: rest,
      } as const;
      out.push({ type: 'segment', rollout: key, segment });
      const item = {
        kind: 'boundary',
        role: 'assistant',
        compactionSummary: true,
        title: 'Summary',
        parts: textParts('text', summary),
        time,
        place,
      } as const;
      out.push({ type: 'item', rollout: key, segment: parentIndex, item });
    }
    const index = segments++;
    out.push({
      type: 'segment',
      rollout: key,
      segment: { index, kind: 'execution', kindSource: 'declared', link: 'compaction', parentIndex },
    });
    writer = segmentWriter(key, index);
    reopen(condensation, writer);
  };

  /** The view after a condensation: what was kept as copied rows, with the summary or a mark where it stands. */
  const reopen = (condensation: Condensation, into: SegmentWriter): void => {
    const kept = view.filter(({ events }) => events.length === 0 || !events.every(condensation.forgets));
    const forgotten = view.length - kept.length;
    const { summary, place, time } = condensation;
    const next: Shown[] = [];
    const insert = (): void => {
      if (summary === null) {
        const title = `Condensed without a summary: ${forgotten} ${forgotten === 1 ? 'row' : 'rows'} forgotten`;
        into.add({ kind: 'boundary', role: 'other', title, time, place, extra: condensation.rest }, []);
        return;
      }
      const fields = {
        kind: 'input',
        role: 'user',
        copied: true,
        compactionSummary: true,
        title: 'Summary',
        time,
        place,
      } as const;
      next.push({
        events: [`${condensation.eventId ?? ''}-summary`],
        item: into.add(fields, textParts('text', summary)),
      });
    };
    let events = 0;
    let inserted = false;
    const offset = summary === null ? 0 : (condensation.offset ?? 0);
    for (const shown of kept) {
      if (!inserted && events >= offset) {
        insert();
        inserted = true;
      }
      events += Math.max(1, shown.events.length);
      const { fields, parts } = shown.item;
      const { role, title, time: said, place: at, compactionSummary } = fields;
      const copy: Fields = {
        kind: 'input',
        role,
        copied: true,
        ...(title ? { title } : {}),
        ...(compactionSummary ? { compactionSummary } : {}),
        time: said ?? null,
        ...(at === undefined ? {} : { place: at }),
      };
      next.push({ events: shown.events, item: into.add(copy, parts) });
    }
    if (!inserted) insert();
    // Nothing answers a copied call.
    for (const { item } of next) item.waiting.clear();
    view = next;
  };

  return {
    key,
    input: (eventId, fields, parts) => {
      call = null;
      if (preview === '' && fields.role === 'user') preview = previewOf(parts.map((part) => part.text).join('\n'));
      show(eventId, fields, parts);
      return flush();
    },
    action: ({ eventId, callKey, parts, fields, rest, place }) => {
      if (call === null || callKey === null || call.key !== callKey) {
        const shown = show(
          eventId,
          { kind: 'step', role: 'assistant', stepKind: 'execution', place, ...fields },
          parts,
        );
        call = { key: callKey ?? '', shown };
        newest = shown.item;
      } else {
        target().extend(call.shown.item, parts);
        if (eventId !== null) call.shown.events.push(eventId);
      }
      keep(call.shown.item, rest);
      if (callKey === null) call = null;
      for (const part of parts) if (part.kind === 'tool_call' && part.callId) open.push(part.callId);
      return flush();
    },
    observe: (eventId, callId, parts, rest, fields) => {
      const asked = callId ?? open.at(-1) ?? null;
      const tied = parts.map((part) => ({ ...part, callId: asked }));
      const step = asked === null ? null : target().answer(asked, tied);
      open = open.filter((id) => id !== asked);
      if (step === null) {
        notes.add('observation-unpaired', '', fields.place);
        show(eventId, { ...fields, extra: rest }, parts);
        return flush();
      }
      const shown = view.findLast(({ item }) => item === step);
      if (eventId !== null) shown?.events.push(eventId);
      keep(step, rest);
      return flush();
    },
    condense: (condensation) => {
      condense(condensation);
      return flush();
    },
    tokens: (prompt, completion) => {
      if (newest === null || writer === null || newest.fields.tokenStart !== undefined) return false;
      sequence ??= tokenSequence(`Segment ${writer.segment}`);
      const metrics = { prompt_token_ids: prompt, completion_token_ids: completion };
      const span = sequence.add({ metrics });
      if (span === null) return false;
      newest.fields = { ...newest.fields, tokenStart: span.start, tokenEnd: span.end };
      return true;
    },
    unknown: (event, name, place) => {
      notes.add('record-unknown', name, place);
      show(idText(event, 'id'), unknownItem(event, name, place), [{ kind: 'raw', text: JSON.stringify(event) }]);
      return flush();
    },
    notShown: (name, place) => notes.add('records-not-shown', name, place),
    callOf: (eventId) => calls.get(eventId) ?? null,
    linkCall: (eventId, callId) => {
      calls.set(eventId, callId);
    },
    serial: () => `without-id-${++serials}`,
    patch: ({ time, ...fields }) => {
      if (time) {
        started ??= time;
        ended = time;
      }
      patched = { ...patched, ...fields };
    },
    end: (state) => {
      begin();
      if (writer !== null) {
        out.push(...writer.settle(true));
        closeTokens(writer.segment);
      }
      out.push(...notes.alerts(key));
      const extra: Json = {
        ...(object({ extra: draft.extra ?? null }, 'extra') ?? {}),
        ...(state === null ? {} : { base_state: state }),
      };
      const patch = {
        ...patched,
        ...(draft.model ? { model: draft.model } : {}),
        preview,
        startedAt: started,
        endedAt: ended,
        ...(Object.keys(extra).length === 0 ? {} : { extra }),
      };
      out.push({ type: 'rolloutEnd', rollout: key, patch });
      const events = out;
      out = [];
      return events;
    },
  };
}
