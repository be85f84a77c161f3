// Puts the steps of a main ATIF file, its continuations, summarisation files and sub-agents into the segments of one
// rollout. Text that is not in the log is never invented: a compaction whose summary file is absent leaves an empty
// summary segment and an alert.

import type { AlertDraft, ItemDraft, Json } from '../../contract/ingest.ts';
import type { SegmentKind, SegmentLink } from '../../contract/vocabulary.ts';
import { alertOf } from '../emit.ts';
import { array, type JsonObject, number, object, text } from '../values.ts';
import {
  type AtifDocument,
  type AtifReference,
  contentParts,
  contextManagement,
  continuationOf,
  embeddedOf,
  isCopied,
  observationText,
  referencesOf,
  sourceOf,
} from './atif-document.ts';
import { isModelCall, itemOf } from './atif-items.ts';

/** A segment that is being filled. `steps` are its model calls, in the order of their items. */
export interface PlannedSegment {
  readonly kind: SegmentKind;
  readonly link: SegmentLink | null;
  readonly parentIndex: number | null;
  readonly externalId: string | null;
  readonly trigger: string | null;
  readonly contextBefore: number | null;
  readonly agent: string | null;
  readonly extra: Json;
  readonly items: ItemDraft[];
  readonly steps: JsonObject[];
}

export interface AtifPlan {
  readonly segments: readonly PlannedSegment[];
  readonly alerts: readonly AlertDraft[];
}

/** Finds a file that a document names; null when it is not there or is no ATIF file. */
export type FindDocument = (path: string) => Promise<AtifDocument | null>;

/** Sub-agents of sub-agents beyond this are not followed. */
const deepest = 16;

/** The segments of the rollout that starts in `main`. */
export async function planRollout(main: AtifDocument, find: FindDocument): Promise<AtifPlan> {
  const planner = new Planner(find);
  await planner.chain(main, { kind: 'execution', link: null, parentIndex: null }, 0);
  return { segments: planner.segments, alerts: planner.alerts };
}

type Opening = Pick<PlannedSegment, 'kind' | 'link' | 'parentIndex'>;

/** Where the planner stands in a document. */
interface Walk {
  readonly document: AtifDocument;
  readonly depth: number;
  readonly embedded: ReadonlyMap<string, AtifDocument>;
  /** Ids of embedded trajectories that a step referred to. */
  readonly used: Set<string>;
  /** The open segment; -1 before the first. */
  current: number;
  /** The segment that opens with the next step; null while one is open. */
  next: Opening | null;
  /** A compaction has just rewritten the context, and no model call was made on it yet. */
  handoff: boolean;
}

function walkOf(document: AtifDocument, depth: number, from: Pick<Walk, 'current' | 'next' | 'handoff'>): Walk {
  const { current, next, handoff } = from;
  return { document, depth, embedded: embeddedOf(document), used: new Set(), current, next, handoff };
}

class Planner {
  readonly segments: PlannedSegment[] = [];
  readonly alerts: AlertDraft[] = [];
  readonly #find: FindDocument;
  readonly #seen = new Set<string>();

  constructor(find: FindDocument) {
    this.#find = find;
  }

  /** A document and the documents that continue it. `opening` says what its first segment is. */
  async chain(first: AtifDocument, opening: Opening, depth: number): Promise<void> {
    let walk = walkOf(first, depth, { current: -1, next: opening, handoff: false });
    for (;;) {
      await this.#document(walk, walk.document !== first);
      const path = continuationOf(walk.document);
      const next = path === null || this.#seen.has(path) ? null : await this.#find(path);
      if (next === null) {
        if (path !== null) this.#dangling(path, 'the continuation', 'The rollout ends where this file ends.');
        break;
      }
      walk.next ??= { kind: this.#kindOf(walk.current), link: 'continuation', parentIndex: walk.current };
      walk = walkOf(next, depth, walk);
    }
    // A rollout without steps still has a segment, so that it can be shown.
    if (walk.current < 0) this.#ensureOpen(walk);
  }

  async #document(walk: Walk, continued: boolean): Promise<void> {
    const { document } = walk;
    this.#seen.add(document.name);
    let taskSeen = !continued;
    for (const step of document.steps) {
      const references = referencesOf(step);
      if (isCompaction(step, references)) {
        await this.#compact(walk, step, references);
        continue;
      }
      this.#ensureOpen(walk);
      // What a user step says right after a compaction is what the compaction put into the context. In a continuation
      // file the first copied step is the task itself.
      const isUser = sourceOf(step) === 'user';
      const isTask = isUser && isCopied(step) && !taskSeen;
      if (isTask) taskSeen = true;
      this.#add(walk.current, step, walk.handoff && isUser && !isTask);
      if (isModelCall(step)) walk.handoff = false;
      for (const reference of references) await this.#subagent(walk, reference);
    }
    for (const odd of document.odd) {
      this.#ensureOpen(walk);
      this.#odd(walk.current, odd, document);
    }
    for (const [id, child] of walk.embedded) {
      if (walk.used.has(id)) continue;
      this.#ensureOpen(walk);
      await this.#child(walk, child);
    }
  }

  /** A compaction ends the current segment; the next one opens with the step that comes after it. */
  async #compact(walk: Walk, step: JsonObject, references: readonly AtifReference[]): Promise<void> {
    this.#ensureOpen(walk);
    this.#boundary(walk.current, step);
    walk.next = await this.#summaries(walk, step, references);
    walk.handoff = true;
    if (observationText(step).trim() === '') return;
    this.#ensureOpen(walk);
    this.#carriedText(walk.current, step);
    walk.handoff = false;
  }

  #ensureOpen(walk: Walk): void {
    if (walk.next === null) return;
    walk.current = this.#open(walk.document, walk.next, walk.depth);
    walk.next = null;
  }

  #open(document: AtifDocument, opening: Opening, depth: number): number {
    const agent = object(document.root, 'agent');
    const before = opening.parentIndex === null ? undefined : this.segments[opening.parentIndex];
    this.segments.push({
      ...opening,
      externalId: text(document.root, 'trajectory_id') ?? text(document.root, 'session_id'),
      trigger: null,
      contextBefore: opening.link === 'compaction' && before !== undefined ? contextOf(before) : null,
      agent: agent === null ? null : text(agent, 'name'),
      extra: { file: document.name, ...(depth > 0 ? { depth } : {}) },
      items: [],
      steps: [],
    });
    return this.segments.length - 1;
  }

  #add(index: number, step: JsonObject, compactionSummary: boolean): void {
    const segment = this.segments[index];
    if (segment === undefined) return;
    const stepKind = segment.kind === 'summary' ? 'summary' : 'execution';
    segment.items.push(itemOf(step, { stepKind, compactionSummary, place: undefined }));
    if (isModelCall(step)) segment.steps.push(step);
    if (sourceOf(step) === null) {
      const source = JSON.stringify(step.source ?? null);
      this.alerts.push(
        alertOf('record-unknown', 'warning', `A step from the source ${source} is not known; it is shown as it is.`, {
          raw: JSON.stringify(step),
        }),
      );
    }
  }

  #odd(index: number, value: Json, document: AtifDocument): void {
    const raw = JSON.stringify(value);
    this.segments[index]?.items.push({ kind: 'unknown', role: 'other', parts: [{ kind: 'raw', text: raw }] });
    this.alerts.push(
      alertOf('record-unknown', 'warning', `${document.name}: a step is no object; it is shown as it is.`, { raw }),
    );
  }

  /** The step that declares a context change, as the last row of the segment it ends. */
  #boundary(index: number, step: JsonObject): void {
    const item = itemOf(step, { stepKind: 'execution', compactionSummary: false, place: undefined });
    // The results of a compaction are references and the new context, which have rows of their own.
    const parts = item.parts.filter((part) => part.kind !== 'observation');
    this.segments[index]?.items.push({ ...item, kind: 'boundary', parts, title: 'Compaction' });
  }

  /** The context that a `replace` compaction declares, as the first row of the new segment. */
  #carriedText(index: number, step: JsonObject): void {
    this.segments[index]?.items.push({
      kind: 'input',
      role: 'user',
      parts: contentParts(observationText(step), 'text'),
      copied: true,
      compactionSummary: true,
    });
  }

  /** The summary segments of a compaction; gives the opening of the execution segment after it. */
  async #summaries(walk: Walk, step: JsonObject, references: readonly AtifReference[]): Promise<Opening> {
    const parent = walk.current;
    let written = false;
    for (const reference of references) {
      const writes = references.length === 1 || writesSummary(reference);
      const document = await this.#resolve(walk, reference);
      const opening: Opening = { kind: writes ? 'summary' : 'other', link: 'summary_of', parentIndex: parent };
      if (document !== null) {
        await this.chain(document, opening, 1);
      } else {
        const name = nameOf(reference);
        this.#dangling(name, `the ${writes ? 'summary' : 'handoff'} trajectory`, 'Its text is not in the log.');
        if (writes) this.#emptySummary(parent, { missing: name });
      }
      written ||= writes;
    }
    if (!written) {
      const said = observationText(step);
      this.#emptySummary(parent, said === '' ? { text: 'not logged' } : { call: 'not logged' }, said);
    }
    return { kind: this.#kindOf(parent), link: 'compaction', parentIndex: parent };
  }

  /** A summary whose model call is not in the log: without steps, with its text where the log has it. */
  #emptySummary(parent: number, extra: Json, said = ''): void {
    this.segments.push({
      kind: 'summary',
      link: 'summary_of',
      parentIndex: parent,
      externalId: null,
      trigger: null,
      contextBefore: null,
      agent: null,
      extra,
      items:
        said === ''
          ? []
          : [{ kind: 'input', role: 'assistant', parts: [{ kind: 'text', text: said }], compactionSummary: true }],
      steps: [],
    });
  }

  async #subagent(walk: Walk, reference: AtifReference): Promise<void> {
    const document = await this.#resolve(walk, reference);
    if (document !== null) await this.#child(walk, document);
    else this.#dangling(nameOf(reference), 'the sub-agent trajectory', 'Its steps are not in the log.');
  }

  async #child(walk: Walk, document: AtifDocument): Promise<void> {
    if (walk.depth + 1 > deepest || this.#seen.has(document.name)) {
      this.#dangling(document.name, 'a trajectory that was already read or nests too deep:', 'It was left out.');
      return;
    }
    await this.chain(document, { kind: 'subagent', link: 'subagent', parentIndex: walk.current }, walk.depth + 1);
  }

  /** The document of a reference: embedded by its id, else a file by its path. Each is read once. */
  async #resolve({ embedded, used }: Walk, reference: AtifReference): Promise<AtifDocument | null> {
    for (const id of [reference.trajectoryId, reference.sessionId]) {
      const document = id === null ? undefined : embedded.get(id);
      if (id !== null && document !== undefined) {
        used.add(id);
        return document;
      }
    }
    const { path } = reference;
    if (path === null || this.#seen.has(path)) return null;
    return this.#find(path);
  }

  #dangling(name: string, what: string, consequence: string): void {
    this.alerts.push(
      alertOf(
        'reference-dangling',
        'warning',
        `The log refers to ${what} ${JSON.stringify(name)}, which is not among the files. ${consequence}`,
      ),
    );
  }

  #kindOf(index: number): SegmentKind {
    return this.segments[index]?.kind ?? 'execution';
  }
}

/** A step that rewrites the context: declared (1.7), or a system step that hands over to summarisation files. */
function isCompaction(step: JsonObject, references: readonly AtifReference[]): boolean {
  const management = contextManagement(step);
  if (management !== null) return management.type === 'compaction';
  if (sourceOf(step) !== 'system') return false;
  return references.some((reference) => /summarization/i.test(`${reference.path ?? ''} ${reference.sessionId ?? ''}`));
}

/** Whether a referenced trajectory wrote the summary (and did not ask or answer questions about it). */
function writesSummary(reference: AtifReference): boolean {
  const name = `${reference.path ?? reference.sessionId ?? reference.trajectoryId ?? ''}`;
  if (/-summary(?:\.json)?$/i.test(name)) return true;
  return !/-(?:questions|answers)(?:\.json)?$/i.test(name) && /summary/i.test(reference.note ?? '');
}

function nameOf(reference: AtifReference): string {
  return reference.path ?? reference.trajectoryId ?? reference.sessionId ?? '';
}

/** Tokens of context at the end of a segment: prompt and completion of its last model call that counts them. */
function contextOf(segment: PlannedSegment): number | null {
  for (const step of segment.steps.toReversed()) {
    const prompt = tokensIn(step, 'prompt');
    if (prompt !== null) return prompt + (tokensIn(step, 'completion') ?? 0);
  }
  return null;
}

/** The largest context of a segment's model calls: how long the segment grew. */
export function largestContext(segment: PlannedSegment): number | null {
  const sizes = segment.steps.flatMap((step) => contextOf({ ...segment, steps: [step] }) ?? []);
  return sizes.length === 0 ? null : Math.max(...sizes);
}

/** Tokens of context at the beginning of a segment: the prompt of its first model call. */
export function openingContext(segment: PlannedSegment): number | null {
  const [step] = segment.steps;
  return step === undefined ? null : tokensIn(step, 'prompt');
}

/** Tokens of a model call's prompt or completion: as the log counts them, else as many as it lists. */
function tokensIn(step: JsonObject, side: 'prompt' | 'completion'): number | null {
  const metrics = object(step, 'metrics');
  if (metrics === null) return null;
  return number(metrics, `${side}_tokens`) ?? array(metrics, `${side}_token_ids`)?.length ?? null;
}
