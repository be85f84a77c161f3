// The examples of a rule as small rollouts. A plain example is one text of the rule's (first) target; for more than one step
// an example is written as blocks: CALL (a shell command), TOOL name {arguments as JSON}, SEES (what came back), WRITES path, EDITS path (old and new text
// parted by a line `---`), SAYS (a message), SUMMARY (a compaction summary), ASKS (a user's message).

import type { Rule, RuleTarget } from '../../contract/rule-pack.ts';
import { viewOfPart } from '../text/view.ts';
import type { ScanPart, ScanRollout } from './types.ts';

const head = /^(CALL|TOOL|SEES|WRITES|EDITS|SAYS|SUMMARY|ASKS)(?: (.*))?$/;

/** A rollout for an example of a rule. */
export function exampleRollout(rule: Pick<Rule, 'target'>, example: string): ScanRollout {
  const lines = example.split('\n');
  if (!head.test(lines[0] ?? '')) {
    const target = [rule.target].flat()[0] ?? 'action';
    return rollout([plainBlock(target, example)]);
  }
  const blocks: Block[] = [];
  for (const line of lines) {
    const match = head.exec(line);
    if (match?.[1] !== undefined) blocks.push({ word: match[1], first: match[2] ?? '', rest: [] });
    else blocks.at(-1)?.rest.push(line);
  }
  return rollout(blocks);
}

interface Block {
  readonly word: string;
  readonly first: string;
  readonly rest: string[];
}

function plainBlock(target: RuleTarget, text: string): Block {
  const words: Record<RuleTarget, string> = {
    action: 'CALL',
    file_path: 'READS',
    patch: 'WRITES',
    removed: 'EDITS',
    observation: 'SEES',
    summary: 'SUMMARY',
    message: 'SAYS',
  };
  const word = words[target];
  if (word === 'WRITES') return { word, first: 'solution.py', rest: [text] };
  if (word === 'EDITS') return { word, first: 'solution.py', rest: [text, '---', ''] };
  return { word, first: text, rest: [] };
}

function rollout(blocks: readonly Block[]): ScanRollout {
  let call = '';
  const parts = blocks.map((block, item) => {
    const made = partOf(block, item);
    if (made.kind === 'tool_call') call = String(item);
    // What is seen answers the call before it.
    return made.kind === 'tool_call' || made.kind === 'observation' ? { ...made, callId: call } : made;
  });
  return { id: 'example', parts };
}

function partOf({ word, first, rest }: Block, item: number): ScanPart {
  const text = [first, ...rest].join('\n').trimEnd();
  const body = rest.join('\n').replace(/\n+$/, '');
  const [oldText = '', newText = ''] = body.split(/^---$/m);
  const call = (name: string, args: Record<string, string>): ScanPart =>
    part(item, 'tool_call', 'assistant', JSON.stringify(args), { toolName: name });
  switch (word) {
    case 'CALL':
      return call('bash', { command: text });
    case 'TOOL': {
      const [, name = '', args = '{}'] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
      return part(item, 'tool_call', 'assistant', args, { toolName: name });
    }
    case 'READS':
      return call('read_file', { path: text });
    case 'WRITES':
      return call('write', { path: first, content: body });
    case 'EDITS':
      return call('edit', {
        path: first,
        old_string: oldText.replace(/\n$/, ''),
        new_string: newText.replace(/^\n/, ''),
      });
    case 'SEES':
      return part(item, 'observation', 'tool', text, {});
    case 'SUMMARY':
      return part(item, 'text', 'user', text, { compactionSummary: true, itemKind: 'input' });
    case 'ASKS':
      return part(item, 'text', 'user', text, { itemKind: 'input' });
    default:
      return part(item, 'text', 'assistant', text, {});
  }
}

function part(
  item: number,
  kind: ScanPart['kind'],
  role: ScanPart['role'],
  stored: string,
  rest: Partial<ScanPart>,
): ScanPart {
  const itemKind = rest.itemKind ?? 'step';
  return {
    item,
    segment: 0,
    segmentKind: 'execution',
    step: itemKind === 'step' ? item + 1 : null,
    part: 0,
    kind,
    itemKind,
    role,
    stepKind: itemKind === 'step' ? 'execution' : null,
    copied: false,
    compactionSummary: false,
    toolName: null,
    text: viewOfPart(kind, stored),
    args: kind === 'tool_call' ? stored : null,
    ...rest,
  };
}
