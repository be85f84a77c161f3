// Logs that repeat the whole history at every call: what is read of them grows with the conversation, not with its square.

import { describe, expect, it } from 'vitest';
import { format as inspect } from '../../../app/ingest/formats/inspect.ts';
import { format as openhands } from '../../../app/ingest/formats/openhands.ts';
import { format as sweAgent } from '../../../app/ingest/formats/swe-agent.ts';
import type { Format } from '../../../app/ingest/source.ts';
import { memoryFile, only, readFiles } from './support.ts';

const said = (n: number): string => `step ${n} looks at one more row of beans`;

/** Prompts of an agent loop: the messages before call `n`. */
function messages(calls: number, id: boolean): Record<string, unknown>[] {
  const list: Record<string, unknown>[] = [{ role: 'user', content: 'Count the beans.', ...(id ? { id: 'u' } : {}) }];
  for (let n = 0; n < calls; n++) {
    const call = { id: `c-${n}`, function: 'bash', arguments: { cmd: `row ${n}` }, type: 'function' };
    list.push({ role: 'assistant', content: said(n), tool_calls: [call], ...(id ? { id: `a-${n}` } : {}) });
    const result = { role: 'tool', content: `${n} beans`, tool_call_id: `c-${n}`, function: 'bash' };
    list.push(id ? { ...result, id: `t-${n}` } : result);
  }
  return list;
}

function inspectLog(calls: number, id: boolean): string {
  const all = messages(calls, id);
  const events = Array.from({ length: calls }, (_, n) => ({
    event: 'model',
    uuid: `e-${n}`,
    input: all.slice(0, 1 + 2 * n),
    output: { choices: [{ message: all[1 + 2 * n], stop_reason: 'tool_calls' }] },
    call: { request: { messages: all.slice(0, 1 + 2 * n) } },
  }));
  const samples = [{ id: 's', epoch: 1, input: 'Count the beans.', messages: all, events }];
  return JSON.stringify({ version: 2, status: 'success', eval: { task: 'beans' }, samples });
}

function trajectory(calls: number): string {
  const history = messages(calls, false);
  const steps = Array.from({ length: calls }, (_, n) => ({
    action: `row ${n}`,
    observation: `${n} beans`,
    response: said(n),
    thought: said(n),
    query: history.slice(0, 1 + 2 * n),
  }));
  return JSON.stringify({ trajectory: steps, history, info: { exit_status: 'submitted' } });
}

function openhandsRun(calls: number): string {
  const usages: unknown[] = [];
  const history = Array.from({ length: calls }, (_, n) => {
    usages.push({ prompt_tokens: n, note: said(n) });
    const id = `m-${n}`;
    const message = { content: said(n), tool_calls: [{ id: `c-${n}`, function: { name: 'run', arguments: '{}' } }] };
    const metadata = { tool_call_id: `c-${n}`, function_name: 'run', model_response: { id, choices: [{ message }] } };
    const metrics = { accumulated_cost: n, token_usages: [...usages] };
    return [
      {
        id: 2 * n,
        source: 'agent',
        action: 'run',
        args: { command: `row ${n}`, thought: said(n) },
        tool_call_metadata: metadata,
        llm_metrics: metrics,
      },
      {
        id: 2 * n + 1,
        source: 'agent',
        cause: 2 * n,
        observation: 'run',
        content: `${n} beans`,
        tool_call_metadata: metadata,
      },
    ];
  }).flat();
  return `${JSON.stringify({ instance_id: 'beans', instruction: 'Count.', history })}\n`;
}

async function sizes(
  format: Format,
  make: (calls: number) => string,
  name: string,
): Promise<{ steps: number; bytes: number }[]> {
  const found: { steps: number; bytes: number }[] = [];
  for (const calls of [250, 500]) {
    const { events, rollouts } = await readFiles(format, {
      main: memoryFile(`/logs/${name}`, make(calls), 1024 * 1024),
      parts: [],
    });
    const items = only(rollouts).segments.flatMap((segment) => segment.items);
    found.push({ steps: items.filter((item) => item.kind === 'step').length, bytes: JSON.stringify(events).length });
  }
  return found;
}

describe('a log of 500 calls that each repeat the history', () => {
  it.each([
    ['Inspect with message ids', inspect, (calls: number) => inspectLog(calls, true), 'log.json'],
    ['Inspect without message ids', inspect, (calls: number) => inspectLog(calls, false), 'log.json'],
    ['SWE-agent', sweAgent, trajectory, 'beans.traj'],
    ['OpenHands', openhands, openhandsRun, 'output.jsonl'],
  ] as const)(
    '%s: is stored once',
    async (_name, format, make, file) => {
      const [half, whole] = await sizes(format, make, file);
      expect([half?.steps, whole?.steps]).toEqual([250, 500]);
      expect((whole?.bytes ?? 0) / (half?.bytes ?? 1)).toBeLessThan(2.2);
    },
    60_000,
  );
});
