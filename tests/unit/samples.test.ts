// The bundled samples are what their generator makes, and tell the story that the README promises.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presetByName } from '../../app/domain/advantage/presets.ts';
import { runEstimator } from '../../app/domain/advantage/registry.ts';
import { nativeRollouts } from '../../samples/story/build-native.ts';

const samples = resolve(import.meta.dirname, '../../samples');

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|json|pt)$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('samples', () => {
  it('are, byte for byte, what the generator makes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollscope-samples-'));
    try {
      execFileSync(process.execPath, [join(samples, 'generate.ts'), folder]);
      expect(filesUnder(folder)).toEqual(filesUnder(samples));
      for (const name of filesUnder(folder)) {
        expect(readFileSync(join(folder, name)).equals(readFileSync(join(samples, name))), name).toBe(true);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('log advantages that are right but for the compacting rollout', () => {
    const preset = presetByName('compactionrl-paper');
    const worst = new Map<string, number>();
    for (const record of nativeRollouts()) {
      const { id, reward, status, segments } = readable(record);
      const output = runEstimator('gae_cross', preset?.params ?? {}, {
        rollouts: [{ id, groupId: 'g', reward, status: status === 'truncated' ? 'truncated' : 'terminated', segments }],
      });
      let largest = 0;
      for (const [k, segment] of segments.entries()) {
        const recomputed = output.rollouts[0]?.segments[k]?.columns.advantages;
        for (const [t, logged] of segment.advantages.entries())
          largest = Math.max(largest, Math.abs(logged - (recomputed?.[t] ?? 0)));
      }
      worst.set(id, largest);
    }
    expect(worst.get('tally-12-1')).toBeGreaterThan(0.01);
    for (const id of ['tally-12-0', 'tally-12-2', 'tally-12-3']) expect(worst.get(id)).toBeLessThan(1e-6);
  });
});

interface Segment {
  readonly kind: 'execution' | 'summary';
  readonly lossMask: readonly number[];
  readonly values: readonly number[];
  readonly advantages: readonly number[];
}

/** The fields of a native record that the test computes with; fails loudly when one is not what it should be. */
function readable(record: Record<string, unknown>): {
  id: string;
  reward: number;
  status: string;
  segments: Segment[];
} {
  const parsed: {
    rollout_id: string;
    status: string;
    reward: { terminal: number };
    segments: { kind: 'execution' | 'summary'; loss_mask: number[]; values: number[]; advantages: number[] }[];
  } = JSON.parse(JSON.stringify(record));
  return {
    id: parsed.rollout_id,
    reward: parsed.reward.terminal,
    status: parsed.status,
    segments: parsed.segments.map(({ kind, loss_mask, values, advantages }) => ({
      kind,
      lossMask: loss_mask,
      values,
      advantages,
    })),
  };
}
