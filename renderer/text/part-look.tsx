// How parts of an item look: their names, how much of a long one is shown, prose or code.

import type { ReactNode } from 'react';
import type { ItemRow, PartRow } from '../../app/contract/index.ts';
import type { Cap } from './windows.ts';

const caps = {
  reasoning: { lines: 4, chars: 420 },
  text: { lines: 12, chars: 1200 },
  tool_call: { lines: 8, chars: 900 },
  observation: { lines: 5, chars: 600 },
  raw: { lines: 6, chars: 600 },
  input: { lines: 3, chars: 300 },
} as const satisfies Record<string, Cap>;

/** How much of a part is shown while it is folded. */
export function capOf(item: ItemRow, part: PartRow): Cap {
  return item.kind === 'input' ? caps.input : caps[part.kind];
}

/** How the text of a part is set. */
export function lookOf(item: ItemRow, part: PartRow): 'markdown' | 'code' | 'plain' {
  if (part.kind === 'text') return item.kind === 'input' ? 'plain' : 'markdown';
  return part.kind === 'reasoning' ? 'plain' : 'code';
}

/** What a part is called, for assistive technology. */
export function labelOf(part: PartRow): string {
  const name = part.name === null ? '' : ` of ${part.name}`;
  switch (part.kind) {
    case 'tool_call':
      return `Arguments${name}`;
    case 'observation':
      return `Output${name}`;
    case 'reasoning':
      return 'Reasoning';
    case 'raw':
      return 'Record as logged';
    case 'text':
      return 'Text';
  }
}

/** The name of a tool, or whose output this is where the order alone does not say it. */
export function PartTitle({ item, part }: { readonly item: ItemRow; readonly part: PartRow }): ReactNode {
  if (part.kind === 'tool_call') return <div className="tool-name">{part.name ?? 'tool'}</div>;
  if (part.kind !== 'observation') return null;
  const before = item.parts.find((one) => one.index === part.index - 1);
  const follows = before?.kind === 'tool_call' && (part.callId === null || before.callId === part.callId);
  const call = item.parts.find((one) => one.kind === 'tool_call' && one.callId !== null && one.callId === part.callId);
  const name = follows ? null : (call?.name ?? part.name);
  const title = [name === null ? null : `${name} output`, part.isError ? 'error' : null].filter(
    (word) => word !== null,
  );
  if (title.length === 0) return <span className="visually-hidden">Output</span>;
  return <div className={part.isError ? 'tool-out bad' : 'tool-out'}>{title.join(' · ')}</div>;
}
