// A folder of many small native logs, one rollout each. Deterministic; files that are there already stay as they are.

import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeNative } from './make-native.ts';

/** Fills `folder` with `count` logs of one rollout each. */
export async function makeFolder(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const path = join(folder, `rollout-${i}.jsonl`);
    const there = await stat(path).then(
      () => true,
      () => false,
    );
    if (!there) await makeNative(path, 1, { first: i, tokensPerSegment: 300 });
  }
}
