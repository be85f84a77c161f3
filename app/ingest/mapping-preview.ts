// The first rollout of a file as a mapping reads it, cut short: what the mapping dialog shows while columns are chosen.

import type { MappingPreview } from '../contract/imports.ts';
import type { IngestEvent, RolloutDraft, TokenArray } from '../contract/ingest.ts';
import type { ColumnMapping } from '../contract/mapping.ts';
import { messageOf, Refusal } from '../shared/errors.ts';
import { mappedFormat } from './formats/mapped-records.ts';
import { readGroup } from './read-group.ts';
import type { ReadContext, SourceFile } from './source.ts';

const valuesShown = 8;
const alertsShown = 12;

type Preview = NonNullable<MappingPreview['rollout']>;
type Segment = { -readonly [K in keyof Preview['segments'][number]]: Preview['segments'][number][K] };

/** Reads until the first rollout is complete. A mapping that does not fit is an answer, not an exception. */
export async function previewMapping(
  file: SourceFile,
  mapping: ColumnMapping,
  context: ReadContext,
): Promise<MappingPreview> {
  let key: string | null = null;
  let rollout: RolloutDraft | null = null;
  const segments: Segment[] = [];
  const alerts: MappingPreview['alerts'] = [];
  const answer = (problem: MappingPreview['problem']): MappingPreview => ({
    problem,
    rollout: rollout === null ? null : summary(rollout, segments),
    alerts,
  });
  try {
    for await (const event of readGroup({ main: file, parts: [] }, mappedFormat(mapping), context)) {
      if (event.type === 'alert' && alerts.length < alertsShown) {
        const { kind, severity, message } = event.alert;
        alerts.push({ kind, severity, message });
      }
      if (event.type === 'rollout' && key === null) {
        key = event.rollout.key;
        rollout = event.rollout;
      } else if ('rollout' in event && event.rollout === key) take(event, segments);
      if (event.type === 'rolloutEnd' && event.rollout === key) break;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer({ message: messageOf(error), hint: error.hint ?? null });
  }
  return answer(
    key === null
      ? { message: 'No rollout can be read with this mapping.', hint: 'Choose the column of the token ids.' }
      : null,
  );
}

function take(event: IngestEvent, segments: Segment[]): void {
  if (event.type === 'segment') {
    const { kind, promptLength } = event.segment;
    segments.push({ kind, tokens: 0, trainable: 0, promptLength: promptLength ?? null, columns: [] });
  } else if (event.type === 'tokens') {
    const segment = segments[event.segment];
    if (segment === undefined) return;
    for (const { name, start, data } of event.columns) {
      if (name === 'ids') segment.tokens = Math.max(segment.tokens, start + data.length);
      if (name === 'loss_mask') segment.trainable += sumOf(data);
      segment.columns = [...segment.columns, columnOf(name, start, data)];
    }
  }
}

function columnOf(name: string, start: number, data: TokenArray): Segment['columns'][number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of data) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const first = [...data.subarray(0, valuesShown)].map((value) => (Number.isFinite(value) ? value : null));
  const known = Number.isFinite(min) && Number.isFinite(max);
  return { name, start, length: data.length, min: known ? min : null, max: known ? max : null, first };
}

function summary(rollout: RolloutDraft, segments: readonly Segment[]): Preview {
  const { externalId, task, groupId, trainingStep, reward, status, preview } = rollout;
  return {
    externalId,
    task: task ?? null,
    group: groupId ?? null,
    trainingStep: trainingStep ?? null,
    reward,
    status,
    preview: preview ?? '',
    segments: [...segments],
  };
}

function sumOf(data: TokenArray): number {
  let sum = 0;
  for (const value of data) sum += value;
  return sum;
}
