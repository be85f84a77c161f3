// Packs of single patterns, and a workspace of rollouts that say one thing each.

import type { IngestEvent } from '../../../app/contract/ingest.ts';
import { type RulePack, rulePack } from '../../../app/contract/rule-pack.ts';
import { close, openWriter } from '../../../db/open.ts';
import { createIngestWriter } from '../../../db/queries/ingest-write.ts';
import { createSource, finishSource } from '../../../db/queries/sources.ts';

/** A rule of one pattern over what the agent says. */
export function rule(id: string, pattern: string): unknown {
  return {
    id,
    title: id,
    kind: 'test-edit',
    family: 'F',
    target: 'message',
    any: [{ pattern, flags: 'm' }],
    severity: 'high',
    score: 0.5,
    why: 'test',
  };
}

export function pack(...rules: unknown[]): RulePack {
  return rulePack.parse({ id: 'test', version: '1', title: 'Test', rules });
}

/** 40 letters and a sign: exponential for a nested quantifier, nothing for any other pattern. */
export const trap = `${'a'.repeat(40)}!`;

/** A workspace of rollouts that say one thing each; gives their row ids. */
export function stored(path: string, texts: readonly string[]): number[] {
  const db = openWriter(path);
  const file = { path: '/logs/a.jsonl', format: 'test', formatTitle: 'Test', size: 1, mtimeMs: 1 };
  const source = createSource(db, file);
  const writer = createIngestWriter(db, source, { format: 'test', path: file.path });
  const events = texts.flatMap((text, n): IngestEvent[] => {
    const rollout = `r${n}`;
    const part = { kind: 'text' as const, text };
    return [
      { type: 'rollout', rollout: { key: rollout, externalId: rollout, status: 'completed', reward: null } },
      { type: 'segment', rollout, segment: { index: 0, kind: 'execution', kindSource: 'declared' } },
      { type: 'item', rollout, segment: 0, item: { kind: 'step', role: 'assistant', parts: [part] } },
      { type: 'rolloutEnd', rollout, patch: {} },
    ];
  });
  db.transaction(() => writer.write(events));
  writer.finish();
  finishSource(db, source, { status: 'imported' });
  const ids = db.column<number>('SELECT id FROM rollouts ORDER BY id');
  close(db);
  return ids;
}
