// Reads one source with its format and keeps the promises of the importer whatever the reader does: cancellation,
// positions for progress, a bounded number of alerts, and a refusal with a place instead of a bare exception.

import { basename, dirname, join } from 'node:path';
import type { AlertDraft, IngestEvent, Place } from '../contract/ingest.ts';
import { messageOf, Refusal } from '../shared/errors.ts';
import { counted } from './emit.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { openSourceFile } from './open-file.ts';
import type { Format, ReadContext, SourceFile, SourceGroup } from './source.ts';

/** A position is given after at least this many bytes. */
const positionStep = 1024 * 1024;

export interface ReadOptions {
  readonly limits?: Limits;
  /** Whether the import was cancelled; asked for every record. */
  readonly isCancelled?: () => boolean;
}

/** The context in which a format reads a group: limits, cancellation, and the files beside the main file. */
export function readContext(main: SourceFile, options: ReadOptions = {}): ReadContext {
  const limits = options.limits ?? defaultLimits;
  return {
    limits,
    sibling: async (name) => {
      // Only plain names: a log never makes us read outside its own folder.
      if (main.path === '-' || name === '' || name !== basename(name) || name === '.' || name === '..') return null;
      if (name.includes('\\') || name.includes('\0')) return null;
      try {
        return await openSourceFile(join(dirname(main.path), name), limits);
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    checkCancelled: () => {
      if (options.isCancelled?.() === true) throw new Refusal('cancelled', 'The import was cancelled.');
    },
  };
}

/**
 * Reads a group of files as events. Alerts beyond `limits.alertsKept` are counted by kind and given as one alert a kind
 * at the end. `position` events count the bytes read of all files of the group. A reader that fails with anything but
 * a Refusal gives Refusal('reader-failed') naming the file and the last place read.
 */
export async function* readGroup(
  group: SourceGroup,
  format: Format,
  context: ReadContext,
): AsyncGenerator<IngestEvent> {
  const meter = new Map<string, number>();
  const watch = (file: SourceFile): SourceFile => metered(file, meter);
  const watched: ReadContext = {
    limits: context.limits,
    checkCancelled: () => context.checkCancelled(),
    sibling: async (name) => {
      const file = await context.sibling(name);
      return file === null ? null : watch(file);
    },
  };
  const alerts = alertBudget(context.limits.alertsKept);
  let place: Place | undefined;
  let given = 0;
  try {
    const source = { main: watch(group.main), parts: group.parts.map(watch) };
    for await (const event of format.read(source, watched)) {
      context.checkCancelled();
      if (event.type === 'position') continue;
      place = placeOf(event) ?? place;
      if (event.type !== 'alert' || alerts.admit(event.alert)) yield event;
      const bytes = total(meter);
      if (bytes - given >= positionStep) {
        given = bytes;
        yield { type: 'position', bytes };
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const where = place === undefined ? '' : `, near line ${place.line ?? '?'} (byte ${place.offset ?? '?'})`;
    throw new Refusal(
      'reader-failed',
      `${group.main.path}: reading it as ${format.title} failed${where}: ${messageOf(error)}`,
      'This is a fault of the reader, not of the file. Please report it with the lines around that place.',
    );
  }
  for (const alert of alerts.rest()) yield { type: 'alert', alert };
  yield { type: 'position', bytes: total(meter) };
}

function placeOf(event: IngestEvent): Place | undefined {
  if (event.type === 'rollout') return event.rollout.place;
  if (event.type === 'item') return event.item.place;
  return event.type === 'alert' ? event.alert.place : undefined;
}

function total(meter: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const bytes of meter.values()) sum += bytes;
  return sum;
}

/** A file that notes how far it was read; a second pass over the same file does not count twice. */
function metered(file: SourceFile, meter: Map<string, number>): SourceFile {
  const note = (bytes: number): void => {
    meter.set(file.path, Math.max(meter.get(file.path) ?? 0, bytes));
  };
  return {
    ...file,
    open: (onCompressed, reuse) =>
      file.open((bytes) => {
        note(bytes);
        onCompressed?.(bytes);
      }, reuse),
    readRange: async (start, end) => {
      const bytes = await file.readRange(start, end);
      note(start + bytes.length);
      return bytes;
    },
  };
}

/** Lets the first alerts pass and counts the others by kind. */
function alertBudget(kept: number): { admit(alert: AlertDraft): boolean; rest(): AlertDraft[] } {
  let admitted = 0;
  const overflow = new Map<string, { first: AlertDraft; count: number }>();
  return {
    admit: (alert) => {
      if (admitted < kept) {
        admitted++;
        return true;
      }
      const known = overflow.get(alert.kind);
      if (known === undefined) overflow.set(alert.kind, { first: alert, count: alert.count ?? 1 });
      else known.count += alert.count ?? 1;
      return false;
    },
    rest: () =>
      [...overflow.values()].map(({ first, count }) => ({
        ...first,
        count,
        message:
          count === (first.count ?? 1)
            ? first.message
            : `${counted(count, 'more place')} of this kind; the first: ${first.message}`,
      })),
  };
}
