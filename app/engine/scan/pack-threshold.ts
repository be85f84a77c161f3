// A threshold that was chosen on labels, stored with the pack: the pack's text with another threshold and version, every other
// character as it was.

import { isMap, isScalar, parseDocument } from 'yaml';
import type { ThresholdChange } from '../../contract/calibration.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Services } from '../services.ts';
import { currentPack, loadPack } from './pack-store.ts';

/**
 * The text of a pack with these values of top-level keys. A key that is not there is added after the first one.
 * @throws Refusal `pack-invalid` when the text is no YAML map.
 */
export function withHead(yaml: string, values: Readonly<Record<'threshold' | 'version', string>>): string {
  const { contents } = parseDocument(yaml);
  const [first] = isMap(contents) ? contents.items : [];
  if (!isMap(contents) || first === undefined || !isScalar(first.key)) {
    throw new Refusal('pack-invalid', 'The rule pack is not a YAML map.', 'Correct the pack and try again.');
  }
  const edits: { start: number; end: number; text: string }[] = [];
  for (const [key, value] of Object.entries(values)) {
    const node: unknown = contents.get(key, true);
    if (isScalar(node) && node.range) edits.push({ start: node.range[0], end: node.range[1], text: value });
    else if (first.key.range)
      edits.push({ start: first.key.range[0], end: first.key.range[0], text: `${key}: ${value}\n` });
  }
  let text = yaml;
  for (const { start, end, text: put } of edits.toSorted((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + put + text.slice(end);
  }
  return text;
}

/** `1.4.0` gives `1.4.0+threshold.1`, and so on past the versions that there are. */
export function nextVersion(version: string, known: readonly string[]): string {
  const base = version.replace(/\+threshold\.\d+$/u, '');
  const numbers = [version, ...known].map((one) =>
    one.startsWith(`${base}+threshold.`) ? Number(one.slice(base.length + '+threshold.'.length)) : 0,
  );
  return `${base}+threshold.${Math.max(0, ...numbers.filter(Number.isSafeInteger)) + 1}`;
}

/** Stores the pack in force with another threshold and starts marking all rollouts anew. */
export async function setThreshold(services: Services, threshold: number): Promise<ThresholdChange> {
  const { writer, work } = services.threads;
  const before = await currentPack(work);
  const draftOf = ({ pack, yaml }: Pick<typeof before, 'pack' | 'yaml'>) => ({
    id: pack.id,
    version: pack.version,
    title: pack.title,
    threshold: pack.threshold,
    yaml,
  });
  const undo = before.rowId ?? (await writer.call('upsertPack', draftOf(before)));
  const known = await work.call('packVersions', { pack: before.pack.id });
  // Four digits: a slider's step, and short enough to read.
  const value = Math.round(threshold * 1e4) / 1e4;
  const version = nextVersion(before.pack.version, known);
  const after = loadPack(withHead(before.yaml, { threshold: String(value), version: JSON.stringify(version) }));
  await writer.call('upsertPack', draftOf(after));
  return {
    pack: after.pack.id,
    version: after.pack.version,
    threshold: after.pack.threshold,
    previous: { version: before.pack.version, threshold: before.pack.threshold },
    undo,
    job: services.jobs.start({ kind: 'scan' }),
  };
}

/** Puts an earlier pack in force again and marks all rollouts anew. */
export async function undoThreshold(services: Services, rowId: number): Promise<ThresholdChange> {
  const { writer, work } = services.threads;
  const before = await currentPack(work);
  const { id, version, threshold } = await writer.call('packInForce', { rowId });
  return {
    pack: id,
    version,
    threshold,
    previous: { version: before.pack.version, threshold: before.pack.threshold },
    undo: before.rowId ?? rowId,
    job: services.jobs.start({ kind: 'scan' }),
  };
}
