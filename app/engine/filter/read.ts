// Messages and records -> what the rules read, by the very readers that an import uses, so that the filter sees what the app sees.

import type { IngestEvent, ItemDraft, Json, PartDraft, SegmentDraft } from '../../contract/ingest.ts';
import type { ScanPart } from '../../domain/detect/types.ts';
import { viewOfPart } from '../../domain/text/view.ts';
import { chatSegments } from '../../ingest/formats/chat-segments.ts';
import { formats } from '../../ingest/formats/index.ts';
import { withStepTexts } from '../../ingest/formats/step-texts.ts';
import { defaultLimits, type Limits } from '../../ingest/limits.ts';
import { readContext, readGroup } from '../../ingest/read-group.ts';
import { recognise } from '../../ingest/recognise.ts';
import { sniffFile } from '../../ingest/sniff.ts';
import type { SourceFile } from '../../ingest/source.ts';
import { Refusal } from '../../shared/errors.ts';

/** A whole rollout as the rules read it, with what the comparison with its siblings asks for. */
export interface WholeRollout {
  readonly id: string;
  readonly parts: readonly ScanPart[];
  /** Null where the record has none. */
  readonly reward: number | null;
}

/** The longest line that is read; a longer one is answered without being held. */
export const longestLine = 32 * 1024 * 1024;

const limits: Limits = { ...defaultLimits, lineBytes: longestLine };

/**
 * The rollout of one record in any log format that an import recognises.
 * @throws Refusal `line-invalid` when the record is in no known format, or holds no rollout or several.
 */
export async function readWhole(text: string): Promise<WholeRollout> {
  const bytes = new TextEncoder().encode(`${text}\n`);
  const main: SourceFile = {
    path: '-',
    name: '-',
    size: bytes.length,
    async *open() {
      yield bytes;
    },
    readRange: async (start, end) => bytes.slice(start, end),
  };
  const [best] = recognise(await sniffFile(main, limits), formats);
  if (best === undefined)
    throw new Refusal('line-invalid', 'neither an action (it names no "rollout") nor a rollout in a known log format');
  const rollouts = await collect(readGroup({ main, parts: [] }, best.format, readContext(main, { limits })));
  const [only, ...more] = rollouts;
  if (only === undefined) throw new Refusal('line-invalid', `read as ${best.format.title}, it holds no rollout`);
  if (more.length > 0)
    throw new Refusal('line-invalid', `it holds ${rollouts.length} rollouts; write each on a line of its own`);
  return { id: only.id, parts: partsOf(only.segments, []), reward: only.reward };
}

/** The parts of a list of chat messages. Those that did not change since `before` are the same objects as there. */
export async function readMessages(messages: readonly Json[], before: readonly ScanPart[]): Promise<ScanPart[]> {
  const key = 'rollout';
  const format = withStepTexts(
    {
      id: 'streamed',
      title: 'streamed messages',
      detect: () => null,
      async *read() {
        yield { type: 'rollout', rollout: { key, externalId: key, status: 'unknown', reward: null } };
        yield* chatSegments(key, messages, {});
        yield { type: 'rolloutEnd', rollout: key, patch: {} };
      },
    },
    { marksCleared: true },
  );
  const [rollout] = await collect(format.read({ main: nowhere, parts: [] }, readContext(nowhere, { limits })));
  return partsOf(rollout?.segments ?? [], before);
}

/** Messages that are at hand come from no file. */
const nowhere: SourceFile = {
  path: '-',
  name: '-',
  size: 0,
  async *open() {},
  readRange: async () => new Uint8Array(0),
};

interface Collected {
  readonly id: string;
  reward: number | null;
  readonly segments: { readonly draft: SegmentDraft; readonly items: ItemDraft[] }[];
}

async function collect(events: AsyncIterable<IngestEvent>): Promise<Collected[]> {
  const rollouts = new Map<string, Collected>();
  for await (const event of events) {
    if (event.type === 'rollout')
      rollouts.set(event.rollout.key, { id: event.rollout.externalId, reward: event.rollout.reward, segments: [] });
    else if (event.type === 'segment') rollouts.get(event.rollout)?.segments.push({ draft: event.segment, items: [] });
    else if (event.type === 'item') rollouts.get(event.rollout)?.segments[event.segment]?.items.push(event.item);
    else if (event.type === 'rolloutEnd') {
      const rollout = rollouts.get(event.rollout);
      if (rollout !== undefined && event.patch.reward !== undefined) rollout.reward = event.patch.reward;
    }
  }
  return [...rollouts.values()];
}

/** The stored text of a part, by which it is known that its view text is the same. */
const stored = new WeakMap<ScanPart, string>();

function partsOf(segments: Collected['segments'], before: readonly ScanPart[]): ScanPart[] {
  const parts: ScanPart[] = [];
  let item = 0;
  let step = 0;
  for (const { draft: segment, items } of segments)
    for (const draft of items) {
      if (draft.kind === 'step' && draft.copied !== true) step++;
      for (const [index, part] of draft.parts.entries()) {
        const known = before[parts.length];
        const place = placeOf(segment, draft, part, item, step, index);
        parts.push(known !== undefined && isSame(known, place, part.text) ? known : partOf(place, part.text));
      }
      item++;
    }
  return parts;
}

type Place = Omit<ScanPart, 'text' | 'args'>;

function placeOf(
  segment: SegmentDraft,
  draft: ItemDraft,
  { kind, name, callId }: PartDraft,
  item: number,
  step: number,
  part: number,
): Place {
  return {
    item,
    segment: segment.index,
    segmentKind: segment.kind,
    step: draft.kind === 'step' ? step : null,
    part,
    kind,
    itemKind: draft.kind,
    role: draft.role,
    stepKind: draft.kind === 'step' ? (draft.stepKind ?? 'execution') : null,
    copied: draft.copied ?? false,
    compactionSummary: draft.compactionSummary ?? false,
    toolName: name ?? null,
    callId: callId ?? null,
  };
}

function isSame(known: ScanPart, place: Place, text: string): boolean {
  return (
    stored.get(known) === text &&
    known.item === place.item &&
    known.part === place.part &&
    known.segment === place.segment &&
    known.segmentKind === place.segmentKind &&
    known.step === place.step &&
    known.kind === place.kind &&
    known.itemKind === place.itemKind &&
    known.role === place.role &&
    known.stepKind === place.stepKind &&
    known.copied === place.copied &&
    known.compactionSummary === place.compactionSummary &&
    known.toolName === place.toolName &&
    known.callId === place.callId
  );
}

function partOf(place: Place, text: string): ScanPart {
  const { kind } = place;
  const part = { ...place, text: viewOfPart(kind, text), args: kind === 'tool_call' ? text : null };
  stored.set(part, text);
  return part;
}
