// Telemetry that Gemini CLI writes to a file (`telemetry.outfile`): OpenTelemetry records one after the other, pretty-printed.
// Log records of prompts, requests, replies and tool calls make the rollout of their session; metrics and spans are counted.

import type { IngestEvent } from '../../contract/ingest.ts';
import { alertEvent, alertOf } from '../emit.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { get, isObject, type JsonObject, object } from '../values.ts';
import { type TelemetrySession, telemetrySession } from './gemini-telemetry-session.ts';
import { notShown, objectsOf, readObjects, tally, unknownAlert } from './harness.ts';

/** The attributes of a log record of the program; null for any other record. */
function logOf(record: JsonObject): { readonly name: string; readonly attributes: JsonObject } | null {
  const attributes = get(record, 'attributes');
  const name = isObject(attributes) ? get(attributes, 'event.name') : undefined;
  return isObject(attributes) && typeof name === 'string' ? { name, attributes } : null;
}

/** Whether the telemetry of another kind that goes to the same file: metrics, or a span. */
function otherKind(record: JsonObject): string | null {
  if (Array.isArray(get(record, 'scopeMetrics'))) return 'metrics';
  const span = get(record, 'startTime') !== undefined && get(record, 'endTime') !== undefined;
  return span && typeof get(record, 'name') === 'string' ? 'span' : null;
}

function detect(sniff: Sniff): Detection | null {
  const found = objectsOf(sniff)
    .map(logOf)
    .find((log) => log?.name.startsWith('gemini_cli.'));
  // Pretty-printed records are no lines, and several are no document.
  const marked = /^\s*\{[\s\S]*"event\.name":\s*"gemini_cli\.\w+"/u.test(sniff.text);
  if (found === undefined && !marked) return null;
  return { confidence: 0.94, reason: 'log records with an event.name of gemini_cli' };
}

async function* read(source: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const sessions = new Map<string, TelemetrySession>();
  const stem = source.main.name.replace(/\.(?:jsonl?|log)(?:\.\w+)?$/u, '');
  const notes = tally({ 'records-not-shown': notShown });
  for await (const record of readObjects(source.main, context)) {
    if (record.kind === 'alert') {
      // Records one after the other are how these files are written.
      if (record.alert.kind !== 'several-records-on-line') yield alertEvent(record.alert);
      continue;
    }
    const { value, place } = record;
    const log = logOf(value);
    const other = log === null ? otherKind(value) : null;
    if (other !== null) notes.add('records-not-shown', other, place);
    else if (log === null)
      yield alertEvent(unknownAlert(value, 'A record that is no log record, span or metric', place));
    else {
      const said = get(log.attributes, 'session.id');
      const id = typeof said === 'string' && said !== '' ? said : stem;
      const session = sessions.get(id) ?? telemetrySession(id);
      sessions.set(id, session);
      yield* session.take(log.name, log.attributes, place, object(value, 'resource'));
    }
  }
  for (const session of sessions.values()) yield* session.end();
  yield* notes.alerts(null);
  if (sessions.size > 0) return;
  const message = 'The file holds no log record of Gemini CLI: nothing was imported from it.';
  yield alertEvent(alertOf('record-only', 'info', message));
}

export const format: Format = { id: 'gemini-telemetry', title: 'Gemini CLI telemetry', detect, read };
