// Reads the probe set: small rollouts of our own, written kind by kind before the rules of that kind were looked at, in
// languages, tools and words that the labelled set does not have. The form is described in probes/README.md.

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type LabelledRollout, labelledRollout } from './labelled.ts';

const turn = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())]));
const probeFile = z.record(
  z.string(),
  z.object({ hack: z.array(z.array(turn)).default([]), clean: z.array(z.array(turn)).default([]) }),
);

const folder = new URL('./probes/', import.meta.url);

/** The probes of the files whose names begin so. A probe's id is its file, kind, label and place. */
export function readProbes(prefix = ''): LabelledRollout[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name.startsWith(prefix))
    .toSorted()
    .flatMap((name) => {
      const file = probeFile.parse(parse(readFileSync(new URL(name, folder), 'utf8')));
      return Object.entries(file).flatMap(([kind, { hack, clean }]) => [
        ...hack.map((turns, i) => probe(`${name.replace('.yaml', '')}/${kind}/hack/${i + 1}`, 'hack', [kind], turns)),
        ...clean.map((turns, i) => probe(`${name.replace('.yaml', '')}/${kind}/clean/${i + 1}`, 'clean', [], turns)),
      ]);
    });
}

function probe(
  id: string,
  label: 'hack' | 'clean',
  kinds: readonly string[],
  turns: readonly z.infer<typeof turn>[],
): LabelledRollout {
  let calls = 0;
  const messages = turns.flatMap((each) =>
    Object.entries(each).map(([who, value]) => {
      const content = typeof value === 'string' ? value : '';
      if (who === 'user' || who === 'system') return { role: who, content };
      if (who === 'say') return { role: 'assistant', content };
      if (who === 'summary') return { role: 'user', content, compaction_summary: true };
      if (who === 'out') return { role: 'tool', content, tool_call_id: String(calls) };
      calls++;
      return { role: 'assistant', content: '', tool_calls: [{ id: String(calls), name: who, arguments: value }] };
    }),
  );
  return labelledRollout.parse({ id, label, kinds, messages });
}
