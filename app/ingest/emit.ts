// Small functions with which every reader makes its events: alerts with a clipped raw excerpt, previews, times.

import type { AlertDraft, IngestEvent, Place } from '../contract/ingest.ts';
import type { AlertSeverity } from '../contract/vocabulary.ts';

/** Most UTF-16 units of raw text that an alert keeps. */
const rawUnits = 4096;
/** Most UTF-16 units of a rollout's preview. */
const previewUnits = 240;

export interface AlertOptions {
  readonly place?: Place | undefined;
  readonly raw?: string | undefined;
  readonly count?: number | undefined;
}

/** An alert. `raw` is cut to 4 KiB; absent options stay absent. */
export function alertOf(
  kind: string,
  severity: AlertSeverity,
  message: string,
  options: AlertOptions = {},
): AlertDraft {
  return {
    kind,
    severity,
    message,
    ...(options.place === undefined ? {} : { place: options.place }),
    ...(options.raw === undefined ? {} : { raw: clip(options.raw, rawUnits) }),
    ...(options.count === undefined ? {} : { count: options.count }),
  };
}

/** An alert as an event. */
export function alertEvent(alert: AlertDraft): IngestEvent {
  return { type: 'alert', alert };
}

/** At most `units` UTF-16 units of a text, never ending inside a surrogate pair. */
export function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  const cut = text.slice(0, units);
  return cut.isWellFormed() ? cut : cut.slice(0, -1).toWellFormed();
}

/** The first lines of a prompt on one line, for lists: white space collapsed, at most 240 units. */
export function previewOf(text: string): string {
  return clip(
    text
      .slice(0, 4 * previewUnits)
      .replace(/\s+/gu, ' ')
      .trim(),
    previewUnits,
  );
}

/**
 * A time of a log as an ISO string in UTC; null when it is none. Numbers are epoch seconds, or milliseconds when they
 * would otherwise lie beyond the year 5000.
 */
export function isoTime(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const date = new Date(Math.abs(value) > 1e11 ? value : value * 1000);
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  }
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/u.test(value)) return null;
  // A time without a zone is taken as UTC, so that the same log gives the same record on every machine.
  const zoned = /(?:[zZ]|[+-]\d\d:?\d\d)$/u.test(value) || !/\d[T ]\d/u.test(value) ? value : `${value}Z`;
  const date = new Date(zoned);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** A count with its noun, for messages: `1 line`, `3 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Gives rollouts keys that are unique in their file and the same at every import: the log's own ids, numbered from the
 * second on when they repeat.
 */
export function keyRegister(): (ids: readonly (string | number | null)[]) => string {
  const seen = new Map<string, number>();
  return (ids) => {
    const id = ids.filter((part) => part !== null).join('/');
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? id : `${id}#${times}`;
  };
}
