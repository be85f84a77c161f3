// The ATIF files of the reference corpus against its manifest. Skips where the corpus is absent.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { format } from '../../../app/ingest/formats/atif.ts';
import { collect, numbers, stepsOf } from '../../fixtures/collected.ts';
import { contextOf, diskFile, eventsOf, sniffOf } from '../../fixtures/memory-source.ts';
import { sharedPath } from '../../shared-material.ts';

const root = sharedPath('corpus', 'agent-formats');
const skipped = root === null;
if (skipped) console.log('SKIPPED tests/unit/ingest/atif-corpus.test.ts: the reference corpus is not here');

interface ManifestEntry {
  readonly path: string;
  readonly rollouts: number;
  readonly steps: number | null;
  readonly n_compactions: number;
  readonly outcome: { readonly reward: number } | null;
  readonly counts: { readonly completion_token_ids_total: number } | null;
}

const manifest: ManifestEntry[] = skipped
  ? []
  : JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')).filter((entry: ManifestEntry) =>
      entry.path.startsWith('atif/'),
    );

/** All ATIF files of the corpus imported at once, each rollout with the manifest's name of its main file. */
async function importAll() {
  const folder = join(root ?? '', 'atif');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  const files = await Promise.all(paths.toSorted().map((path) => diskFile(join(folder, path))));
  for (const file of files) expect(format.detect(await sniffOf(file))?.confidence).toBeGreaterThan(0.85);
  const groups = (await format.group?.(files)) ?? [];
  const imports = [];
  for (const group of groups) {
    const result = collect(await eventsOf(format, group, contextOf([group.main])));
    imports.push({ path: group.main.path.slice((root ?? '').length + 1), parts: group.parts, result });
  }
  return imports;
}

describe.skipIf(skipped)('ATIF corpus', () => {
  test('rollouts, steps, compactions, tokens and outcomes of the manifest', async () => {
    const imports = await importAll();
    const mains = manifest.filter((entry) => entry.rollouts > 0);
    expect(imports.map((one) => one.path).toSorted()).toEqual(mains.map((entry) => entry.path).toSorted());
    for (const { path, result } of imports) {
      // The manifest counts file by file; a segment says from which file it is.
      const files = manifest.filter((entry) => entry.path === path || join(entry.path, '..') === join(path, '..'));
      const segments = result.rollouts.flatMap((rollout) => rollout.segments);
      for (const entry of files) {
        const name = entry.path.split('/').at(-1);
        const own = segments.filter((segment) => Object(segment.draft.extra).file === name);
        if (entry.path !== path && own.length === 0) continue;
        expect([entry.path, own.reduce((sum, s) => sum + stepsOf(s).length, 0)]).toEqual([
          entry.path,
          entry.steps ?? 0,
        ]);
        const trained = own.reduce((sum, s) => sum + numbers(s, 'loss_mask').reduce((a, bit) => a + bit, 0), 0);
        expect([entry.path, trained]).toEqual([entry.path, entry.counts?.completion_token_ids_total ?? 0]);
      }
      const main = mains.find((entry) => entry.path === path);
      const compactions = segments.filter((segment) => segment.draft.link === 'compaction').length;
      expect([path, result.rollouts.length, compactions]).toEqual([path, main?.rollouts, main?.n_compactions]);
      expect(result.rollouts[0]?.draft.reward).toBe(main?.outcome?.reward ?? null);
    }
  });

  test('the parts of a rollout are parts of one source', async () => {
    const imports = await importAll();
    const parts = imports.flatMap((one) => one.parts.map((part) => part.path.slice((root ?? '').length + 1)));
    const expected = manifest.filter((entry) => entry.rollouts === 0).map((entry) => entry.path);
    expect(parts.toSorted()).toEqual(expected.toSorted());
  });

  test('only what the manifest says is missing is missing', async () => {
    for (const { path, result } of await importAll()) {
      const dangling = result.alerts.filter((alert) => alert.kind === 'reference-dangling').length;
      expect([path, dangling]).toEqual([path, path.includes('linear-history') ? 3 : 0]);
      const other = result.alerts.filter((alert) => alert.severity !== 'info' && alert.kind !== 'reference-dangling');
      expect([path, other]).toEqual([path, []]);
    }
  });

  test('the summaries that are in the log', async () => {
    const imports = await importAll();
    const summaries = imports.flatMap((one) =>
      one.result.rollouts.flatMap((rollout) => rollout.segments.filter((segment) => segment.draft.kind === 'summary')),
    );
    const texts = summaries.map((segment) => segment.items.at(-1)?.parts[0]?.text.slice(0, 40) ?? null);
    expect(texts.toSorted()).toEqual([
      'Compacted context: the user asked for AT',
      'I have been working on creating hello.tx',
      null,
    ]);
  });
});
