// Which dumps of one import belong together: a train dump is part of the rollout dump of the same training step that
// stands beside it, in the same folder or in a sibling folder (`rollout_data/N.pt`, `train_data/N.pt`).

import { basename, dirname, join } from 'node:path';
import { filesIn } from '../beside.ts';
import type { Limits } from '../limits.ts';
import type { SourceFile, SourceGroup } from '../source.ts';
import { torchContainer } from '../torch.ts';

export interface PickledKeys {
  /** The head begins a torch archive. */
  readonly archive: boolean;
  readonly samples: boolean;
  /** `format_version` as a key: a train dump of version 2 or later. */
  readonly train: boolean;
  /** `rollout_data` as a key: whole columns, one file per rank (Miles, older slime). */
  readonly rows: boolean;
  /** `rollout_id` at the top of the dump. */
  readonly step: number | null;
}

/**
 * What the first bytes of a dump say about it. The pickle stands first and uncompressed in a torch archive, so its keys
 * can be seen without reading the archive; nothing is decided by this but which reader is tried.
 */
export function pickledKeys(head: Uint8Array): PickledKeys {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const has = (key: string): boolean => keyAt(text, key) >= 0;
  return {
    archive: torchContainer(head) === 'zip' && text.slice(0, 400).includes('data.pkl'),
    samples: has('samples'),
    train: has('format_version') && has('samples'),
    rows: has('rollout_data'),
    step: stepIn(text),
  };
}

/** Where the value after a pickled string key begins; -1 when the key is not there. */
function keyAt(text: string, key: string): number {
  const short = String.fromCharCode(key.length);
  for (const prefix of [`X${short}\0\0\0`, `\x8c${short}`, `U${short}`]) {
    const at = text.indexOf(prefix + key);
    if (at >= 0) return at + prefix.length + key.length;
  }
  return -1;
}

function stepIn(text: string): number | null {
  let at = keyAt(text, 'rollout_id');
  if (at < 0) return null;
  // The pickler may remember the key before the value comes.
  if (text[at] === 'q') at += 2;
  else if (text[at] === 'r') at += 5;
  else if (text[at] === '\x94') at += 1;
  const byte = (offset: number): number => text.charCodeAt(at + offset);
  if (text[at] === 'K') return byte(1);
  if (text[at] === 'M') return byte(1) + byte(2) * 256;
  if (text[at] === 'J') return byte(1) + byte(2) * 256 + byte(3) * 65_536 + byte(4) * 16_777_216;
  return null;
}

interface Dump {
  readonly file: SourceFile;
  readonly keys: PickledKeys | null;
}

/** Lists every train dump under its rollout dump; whatever finds no partner stays a source of its own. */
export async function groupDumps(files: readonly SourceFile[]): Promise<readonly SourceGroup[]> {
  const dumps: Dump[] = [];
  for (const file of files) dumps.push({ file, keys: await keysOf(file) });
  const parts = new Map<SourceFile, SourceFile[]>();
  const taken = new Set<SourceFile>();
  for (const { file, keys } of dumps) {
    if (keys === null || !(keys.train || keys.rows)) continue;
    const partner = partnerOf(file, keys, dumps);
    if (partner === null) continue;
    parts.set(partner, [...(parts.get(partner) ?? []), file]);
    taken.add(file);
  }
  return files
    .filter((file) => !taken.has(file))
    .map((main) => ({ main, parts: [...(parts.get(main) ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1)) }));
}

function partnerOf(file: SourceFile, keys: PickledKeys, dumps: readonly Dump[]): SourceFile | null {
  if (keys.step === null) return null;
  const candidates = dumps.filter(
    (dump) =>
      dump.keys?.samples === true &&
      !dump.keys.train &&
      !dump.keys.rows &&
      dump.keys.step === keys.step &&
      !/^eval/i.test(dump.file.name) &&
      beside(dump.file, file),
  );
  const named = candidates.filter((dump) => {
    const [stem, own] = [stemOf(dump.file), stemOf(file)];
    return own === stem || own.startsWith(`${stem}_`);
  });
  const [partner, second] = named.length > 0 ? named : candidates;
  // Two equally good partners are no partner: the tokens would decide, but only after both were read.
  return partner === undefined || second !== undefined ? null : partner.file;
}

/** The same folder, or sibling folders whose names differ only in the words rollout and train. */
function beside(a: SourceFile, b: SourceFile): boolean {
  const [one, other] = [dirname(a.path), dirname(b.path)];
  if (one === other) return true;
  return dirname(one) === dirname(other) && neutral(basename(one)) === neutral(basename(other));
}

/** The name without its ending and without the words that tell the two kinds of dump apart. */
function stemOf(file: SourceFile): string {
  return neutral(file.name.replace(/\.[^.]*$/, ''));
}

function neutral(name: string): string {
  return name.toLowerCase().replace(/(?:rollout|train)(?:_data)?_?/g, '');
}

/** The keys of a readable dump. Null for a file that is cut off or has no range to read: it stands alone, and is refused. */
async function keysOf(file: SourceFile): Promise<PickledKeys | null> {
  if (file.size === null || file.size < 22) return null;
  const tail = await file.readRange(Math.max(0, file.size - 65_557), file.size);
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).toString('latin1');
  if (!text.includes('PK\x05\x06')) return null;
  return pickledKeys(await file.readRange(0, Math.min(file.size, 65_536)));
}

/**
 * The train dumps of a rollout dump that was given alone: `../train_data/N.pt` (slime) or `../train_data/N_RANK.pt`
 * (Miles) of `rollout_data/N.pt`. None for dumps of an evaluation, which is not trained on.
 */
export async function trainDumpsBeside(dump: SourceFile, limits: Limits): Promise<readonly SourceFile[]> {
  const folder = dirname(dump.path);
  const name = basename(folder).replace('rollout', 'train');
  if (name === basename(folder) || /^eval/i.test(dump.name)) return [];
  const stem = dump.name.replace(/\.[^.]*$/, '');
  const own = (candidate: string): boolean =>
    candidate === `${stem}.pt` || (candidate.startsWith(`${stem}_`) && /^_\d+\.pt$/.test(candidate.slice(stem.length)));
  return filesIn(join(dirname(folder), name), own, limits);
}
