// What every format shares behind its reader: calls that stand in the text of a step become calls, the user's turn that
// holds their results joins the step, and results that the harness cleared from the context are marked by a boundary.
// Readers know the records of their log, this knows what models and harnesses write inside the texts.

import type { IngestEvent, ItemDraft, PartDraft } from '../../contract/ingest.ts';
import { counted } from '../emit.ts';
import type { Format, ReadContext, SourceGroup } from '../source.ts';
import { assistantTextParts } from './text-calls.ts';
import { isCleared, observationsOf } from './text-observations.ts';

interface StepTextOptions {
  /** Whether cleared results are marked; not for logs that say so themselves. */
  readonly marksCleared?: boolean;
}

/** The format with the calls in its texts read. Memory: one item for each open segment. */
export function withStepTexts(format: Format, options: StepTextOptions = {}): Format {
  return { ...format, read: (group, context) => readStepTexts(group, context, format, options) };
}

interface SegmentState {
  /** The newest item, until it is known whether the next one holds its results. */
  held: ItemDraft | null;
  /** Results in a row of which only a placeholder is left. */
  cleared: number;
}

interface RolloutState {
  /** The log ties calls by ids: what stands in texts is no call then. */
  structured: boolean;
  readonly segments: Map<number, SegmentState>;
}

async function* readStepTexts(
  group: SourceGroup,
  context: ReadContext,
  format: Format,
  options: StepTextOptions,
): AsyncGenerator<IngestEvent> {
  const rollouts = new Map<string, RolloutState>();
  context.bookmark?.holdsBack(() => rollouts.size > 0);
  for await (const event of format.read(group, context)) {
    if (event.type === 'rollout') {
      rollouts.set(event.rollout.key, { structured: false, segments: new Map() });
    } else if (event.type === 'item') {
      const rollout = rollouts.get(event.rollout);
      if (rollout === undefined) {
        yield event;
        continue;
      }
      const state = rollout.segments.get(event.segment) ?? { held: null, cleared: 0 };
      rollout.segments.set(event.segment, state);
      for (const item of next(event.item, rollout, state, options)) yield { ...event, item };
      continue;
    } else if (event.type === 'segmentEnd') {
      const state = rollouts.get(event.rollout)?.segments.get(event.segment);
      if (state !== undefined) yield* flush(event.rollout, event.segment, state, options);
    } else if (event.type === 'rolloutEnd') {
      yield* flushAll(event.rollout, rollouts.get(event.rollout), options);
      rollouts.delete(event.rollout);
    }
    yield event;
  }
  for (const [key, rollout] of rollouts) yield* flushAll(key, rollout, options);
}

function* flushAll(key: string, rollout: RolloutState | undefined, options: StepTextOptions): Generator<IngestEvent> {
  for (const [segment, state] of rollout?.segments ?? []) yield* flush(key, segment, state, options);
}

function* flush(
  rollout: string,
  segment: number,
  state: SegmentState,
  options: StepTextOptions,
): Generator<IngestEvent> {
  const mark = (): ItemDraft[] => (state.cleared === 0 ? [] : [boundary(state)]);
  for (const item of [...leave(state, options), ...mark()]) yield { type: 'item', rollout, segment, item };
}

/** The held item, behind the mark of results that were cleared before it. */
function leave(state: SegmentState, options: StepTextOptions): ItemDraft[] {
  const { held } = state;
  state.held = null;
  if (held === null) return [];
  if (options.marksCleared !== true) return [held];
  const results = held.parts.filter((part) => part.kind === 'observation');
  const cleared = results.filter((part) => isCleared(part.text)).length;
  const marks = results.length > cleared && state.cleared > 0 ? [boundary(state)] : [];
  state.cleared += cleared;
  return [...marks, held];
}

/** What leaves when an item comes in. */
function next(item: ItemDraft, rollout: RolloutState, state: SegmentState, options: StepTextOptions): ItemDraft[] {
  const joined = state.held === null ? null : joinedTo(state.held, item);
  if (joined !== null) {
    state.held = joined;
    return [];
  }
  const left = leave(state, options);
  if (item.role === 'assistant' && item.parts.some((part) => part.kind === 'tool_call' && part.callId)) {
    rollout.structured = true;
  }
  state.held = rollout.structured ? item : withCalls(item);
  return left;
}

/** An assistant's item with the calls of its texts read; the same item where there are none. */
function withCalls(item: ItemDraft): ItemDraft {
  if (item.role !== 'assistant' || item.kind === 'boundary' || item.kind === 'unknown') return item;
  if (item.parts.some((part) => part.kind === 'tool_call')) return item;
  const parts = item.parts.flatMap((part) => (part.kind === 'text' ? assistantTextParts(part.text) : [part]));
  return parts.some((part) => part.kind === 'tool_call' || part.kind === 'reasoning') ? { ...item, parts } : item;
}

/** The step with its results, when an input consists of them; null when it does not. */
function joinedTo(held: ItemDraft, item: ItemDraft): ItemDraft | null {
  if (held.role !== 'assistant' || item.kind !== 'input' || item.compactionSummary === true) return null;
  if (item.role !== 'user' && item.role !== 'tool') return null;
  const step = held.parts.some((part) => part.kind === 'tool_call') ? held : withBashBlock(held);
  if (step === null || step.parts.some((part) => part.kind === 'observation')) return null;
  const results: PartDraft[] = [];
  for (const part of item.parts) {
    if (part.kind === 'observation') results.push(part);
    else {
      const found = part.kind === 'text' ? observationsOf(part.text) : null;
      if (found === null) return null;
      results.push(...found);
    }
  }
  if (results.length === 0) return null;
  const names = step.parts.filter((part) => part.kind === 'tool_call').map((part) => part.name ?? null);
  let nth = 0;
  const tied = results.map((part): PartDraft => {
    if (part.kind !== 'observation') return part;
    const name = part.name ?? names[nth++] ?? names.at(-1) ?? null;
    return { ...part, name };
  });
  const { kind: _kind, role: _role, parts: _parts, place: _place, ...rest } = item;
  const kept = Object.fromEntries(
    Object.entries({ ...rest, extra: undefined }).filter(([, value]) => value !== undefined && value !== null),
  );
  const about = { ...kept, ...(item.extra === undefined ? {} : { fields: item.extra }) };
  const parts = [...step.parts, ...tied];
  return Object.keys(about).length === 0 ? { ...step, parts } : { ...step, parts, extra: withAnswer(step, about) };
}

function withAnswer(step: ItemDraft, answer: Readonly<Record<string, unknown>>): NonNullable<ItemDraft['extra']> {
  const own = step.extra;
  const before =
    typeof own === 'object' && own !== null && !Array.isArray(own) ? own : own === undefined ? {} : { own };
  return { ...before, result: JSON.parse(JSON.stringify(answer)) };
}

const bashBlock = /```(?:mswea_bash_command|bash|sh|shell)[ \t]*\n([\s\S]*?)\n?```/gu;

/**
 * The step of a harness whose only action is one shell block: the block as its call. Only asked for when a result
 * follows; replies with none or several blocks were not run.
 */
function withBashBlock(item: ItemDraft): ItemDraft | null {
  const texts = item.parts.filter((part) => part.kind === 'text');
  const found = texts.flatMap((part) => [...part.text.matchAll(bashBlock)].map((match) => ({ part, match })));
  const [only] = found;
  if (only === undefined || found.length !== 1) return null;
  const { part, match } = only;
  const around = (said: string): PartDraft[] => (said.trim() === '' ? [] : [{ kind: 'text', text: said.trim() }]);
  const parts = item.parts.flatMap((own): PartDraft[] =>
    own === part
      ? [
          ...around(part.text.slice(0, match.index)),
          { kind: 'tool_call', name: 'bash', text: JSON.stringify({ command: match[1] ?? '' }) },
          ...around(part.text.slice(match.index + match[0].length)),
        ]
      : [own],
  );
  return { ...item, parts };
}

/** The row that says that results were cleared before this place. */
function boundary(state: SegmentState): ItemDraft {
  const text = `${counted(state.cleared, 'tool result')} before this place ${state.cleared === 1 ? 'was' : 'were'} cleared from the context; the log holds only a placeholder.`;
  state.cleared = 0;
  return { kind: 'boundary', role: 'other', title: 'Tool results cleared', parts: [{ kind: 'text', text }] };
}
