// Reads the labelled JSONL: messages in the OpenAI shape with labels beside them. Each message is one item.

import { z } from 'zod';
import type { ScanPart, ScanRollout } from '../../app/domain/detect/types.ts';
import { viewOfPart } from '../../app/domain/text/view.ts';

const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z
    .array(z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .optional(),
  tool_call_id: z.string().optional(),
  compaction_summary: z.boolean().optional(),
});

export const labelledRollout = z.object({
  id: z.string(),
  messages: z.array(message),
  label: z.enum(['hack', 'clean', 'ambiguous']),
  kinds: z.array(z.string()),
  evidence: z
    .array(z.object({ message_index: z.number(), quote: z.string() }))
    .default([])
    .transform((list) => list.map(({ message_index, quote }) => ({ item: message_index, quote }))),
});
export type LabelledRollout = z.infer<typeof labelledRollout>;

export function readLabelled(text: string): LabelledRollout[] {
  return text
    .split('\n')
    .filter((each) => each.trim() !== '')
    .map((each) => labelledRollout.parse(JSON.parse(each)));
}

/** The messages as the scanner reads them; nothing else of the record is used. */
export function rolloutOf({ id, messages }: Pick<LabelledRollout, 'id' | 'messages'>): ScanRollout {
  let segment = 0;
  let step = 0;
  const parts: ScanPart[] = [];
  for (const [
    item,
    { role, content, tool_calls: calls = [], tool_call_id: callId, compaction_summary: summary },
  ] of messages.entries()) {
    if (summary === true) segment++;
    if (role === 'assistant') step++;
    const base = {
      item,
      segment,
      segmentKind: 'execution',
      step: role === 'assistant' || role === 'tool' ? step : null,
      itemKind: role === 'assistant' || role === 'tool' ? 'step' : 'input',
      role,
      stepKind: role === 'assistant' ? 'execution' : null,
      copied: false,
      compactionSummary: summary === true,
    } as const;
    if (typeof content === 'string' && (content !== '' || role !== 'assistant')) {
      const kind = role === 'tool' ? 'observation' : 'text';
      parts.push({ ...base, part: 0, kind, toolName: null, callId: callId ?? null, text: content });
    }
    for (const [i, call] of calls.entries()) {
      const args = JSON.stringify(call.arguments);
      parts.push({
        ...base,
        part: i + 1,
        kind: 'tool_call',
        toolName: call.name,
        callId: call.id,
        args,
        text: viewOfPart('tool_call', args),
      });
    }
  }
  return { id, parts };
}
