// Builders for importer tests: files in memory, and the events of a reader put together into rollouts again.

import type {
  AlertDraft,
  IngestEvent,
  ItemDraft,
  RolloutDraft,
  SegmentDraft,
  TokenColumn,
} from '../../../app/contract/ingest.ts';
import { defaultLimits, type Limits } from '../../../app/ingest/limits.ts';
import { readContext, readGroup } from '../../../app/ingest/read-group.ts';
import type { Format, SourceFile, SourceGroup } from '../../../app/ingest/source.ts';

/** A file in memory, given in chunks of a few bytes so that every boundary falls somewhere awkward. */
export function memoryFile(path: string, content: string | Uint8Array, chunk = 7): SourceFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    size: bytes.length,
    open: async function* (onCompressed) {
      for (let at = 0; at < bytes.length; at += chunk) {
        onCompressed?.(Math.min(bytes.length, at + chunk));
        yield bytes.slice(at, at + chunk);
      }
    },
    readRange: async (start, end) => bytes.slice(start, end),
  };
}

interface ReadSegment {
  segment: SegmentDraft;
  readonly items: ItemDraft[];
  readonly columns: TokenColumn[];
}

export interface ReadRollout {
  rollout: RolloutDraft;
  readonly segments: ReadSegment[];
}

export interface ReadResult {
  readonly rollouts: readonly ReadRollout[];
  readonly alerts: readonly AlertDraft[];
  readonly events: readonly IngestEvent[];
}

/** Puts events together; fails on an event that refers to a rollout or segment that is not open. */
export function assemble(events: readonly IngestEvent[]): ReadResult {
  const rollouts = new Map<string, ReadRollout>();
  const closed = new Set<string>();
  const alerts: AlertDraft[] = [];
  const rolloutOf = (key: string): ReadRollout => {
    const found = rollouts.get(key);
    if (found === undefined || closed.has(key)) throw new Error(`event for the rollout ${key}, which is not open`);
    return found;
  };
  const segmentOf = (key: string, index: number): ReadSegment => {
    const found = rolloutOf(key).segments[index];
    if (found === undefined) throw new Error(`event for the unknown segment ${index} of ${key}`);
    return found;
  };
  for (const event of events) {
    switch (event.type) {
      case 'rollout':
        if (rollouts.has(event.rollout.key)) throw new Error(`rollout ${event.rollout.key} opened twice`);
        rollouts.set(event.rollout.key, { rollout: event.rollout, segments: [] });
        break;
      case 'segment': {
        const { segments } = rolloutOf(event.rollout);
        if (event.segment.index !== segments.length) throw new Error(`segment ${event.segment.index} out of order`);
        segments.push({ segment: event.segment, items: [], columns: [] });
        break;
      }
      case 'item':
        segmentOf(event.rollout, event.segment).items.push(event.item);
        break;
      case 'tokens':
        segmentOf(event.rollout, event.segment).columns.push(...event.columns);
        break;
      case 'segmentEnd': {
        const segment = segmentOf(event.rollout, event.segment);
        segment.segment = { ...segment.segment, ...event.patch };
        break;
      }
      case 'rolloutEnd': {
        const rollout = rolloutOf(event.rollout);
        rollout.rollout = { ...rollout.rollout, ...event.patch };
        closed.add(event.rollout);
        break;
      }
      case 'alert':
        alerts.push(event.alert);
        break;
      case 'position':
        break;
    }
  }
  return { rollouts: [...rollouts.values()], alerts, events };
}

/** Reads a group with a format through the importer's own wrapper. */
export async function readFiles(format: Format, group: SourceGroup, limits: Partial<Limits> = {}): Promise<ReadResult> {
  const context = readContext(group.main, { limits: { ...defaultLimits, ...limits } });
  return assemble(await collect(readGroup(group, format, context)));
}

/** Reads one text as one file. */
export function readText(
  format: Format,
  text: string | Uint8Array,
  name = '/logs/file.jsonl',
  limits: Partial<Limits> = {},
): Promise<ReadResult> {
  return readFiles(format, { main: memoryFile(name, text), parts: [] }, limits);
}

/** Objects as JSONL. */
export function jsonl(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Kinds of alerts, in order. */
export function kinds(alerts: readonly AlertDraft[]): string[] {
  return alerts.map((alert) => alert.kind);
}

/** The one element of a list; fails when there are more or none. */
export function only<T>(list: readonly T[]): T {
  const [first, ...more] = list;
  if (first === undefined || more.length > 0) throw new Error(`expected one element, got ${list.length}`);
  return first;
}

/** Everything that an async iterable gives. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of source) all.push(value);
  return all;
}
