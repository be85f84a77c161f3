// A hostile file on a real disk, through the whole importer: what came in, what was said, or why it was refused.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AlertDraft } from '../../app/contract/ingest.ts';
import { defaultLimits, type Limits } from '../../app/ingest/limits.ts';
import { planImport } from '../../app/ingest/plan.ts';
import { readContext, readGroup } from '../../app/ingest/read-group.ts';
import { Refusal } from '../../app/shared/errors.ts';

export interface Outcome {
  /** Rollouts that were read completely. */
  readonly rollouts: number;
  /** Texts of their parts. */
  readonly texts: readonly string[];
  readonly alerts: readonly AlertDraft[];
  /** Kinds of the alerts, each once, in order of their names. */
  readonly kinds: readonly string[];
  readonly refusal: Refusal | null;
}

/** Imports bytes as a file of this name. Anything thrown but a Refusal fails the test. */
export async function importBytes(
  name: string,
  bytes: Uint8Array | string,
  limits: Partial<Limits> = {},
  format?: string,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-hostile-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return await importPath(path, limits, format);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same for a file that is there. */
export async function importPath(path: string, limits: Partial<Limits> = {}, format?: string): Promise<Outcome> {
  const all = { ...defaultLimits, ...limits };
  const texts: string[] = [];
  const alerts: AlertDraft[] = [];
  let rollouts = 0;
  let refusal: Refusal | null = null;
  try {
    for (const entry of await planImport([path], { limits: all, ...(format === undefined ? {} : { format }) })) {
      if (entry.kind === 'refused') throw entry.refusal;
      const context = readContext(entry.group.main, { limits: all });
      for await (const event of readGroup(entry.group, entry.format, context)) {
        if (event.type === 'alert') alerts.push(event.alert);
        if (event.type === 'rollout') rollouts++;
        if (event.type === 'item') for (const part of event.item.parts) texts.push(part.text);
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  }
  const kinds = [...new Set(alerts.map(({ kind }) => kind))].sort();
  return { rollouts, texts, alerts, kinds, refusal };
}

/** A row of chat messages as JSON text; `said` is put in as it stands. */
export function chatLine(said: string, more = ''): string {
  return `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"${said}"}]${more}}`;
}

/** Peak memory of this process while `run` runs, above what it was before, MiB. */
export async function memoryOf<T>(run: () => Promise<T>): Promise<{ value: T; mib: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  try {
    const value = await run();
    peak = Math.max(peak, process.memoryUsage.rss());
    return { value, mib: (peak - before) / 2 ** 20 };
  } finally {
    clearInterval(timer);
  }
}
