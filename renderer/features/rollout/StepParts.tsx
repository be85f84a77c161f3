// The parts of an item: reasoning, text, tool calls with their observations, raw records. Each with its marks and, below
// them, the reasons of its markers.

import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ItemRow, MarkerRow, PartRow } from '../../../app/contract/index.ts';
import { MarkerReason } from './MarkerReason.tsx';
import { useScreen } from './screen-context.ts';
import { isUnfolded, togglePart } from './screen-store.ts';
import { PartText } from './text/PartText.tsx';
import type { Mark } from './text/runs.ts';
import type { Cap } from './text/windows.ts';

const caps = {
  reasoning: { lines: 4, chars: 420 },
  text: { lines: 12, chars: 1200 },
  tool_call: { lines: 8, chars: 900 },
  observation: { lines: 5, chars: 600 },
  raw: { lines: 6, chars: 600 },
  input: { lines: 3, chars: 300 },
} as const satisfies Record<string, Cap>;

/** All parts of an item. `finds` are the hits of the find in this item, by part. */
export function StepParts(props: {
  readonly item: ItemRow;
  readonly markers: readonly MarkerRow[];
  readonly finds: ReadonlyMap<number, readonly Mark[]>;
  readonly raw: boolean;
}): ReactNode {
  return props.item.parts.map((part) => (
    <PartView
      key={part.index}
      item={props.item}
      part={part}
      markers={props.markers}
      finds={props.finds.get(part.index) ?? noMarks}
      raw={props.raw}
    />
  ));
}

const noMarks: readonly Mark[] = [];

function PartView(props: {
  readonly item: ItemRow;
  readonly part: PartRow;
  readonly markers: readonly MarkerRow[];
  readonly finds: readonly Mark[];
  readonly raw: boolean;
}): ReactNode {
  const { item, part, finds, raw } = props;
  const { store } = useScreen();
  const unfolded = useStore(store, (state) => isUnfolded(state.unfolded, item.index, part.index));
  const selected = useStore(store, (state) => state.marker);
  const own = useMemo(() => props.markers.filter((marker) => marker.part === part.index), [props.markers, part.index]);
  const marks = useMemo(() => [...own.map((marker) => markOf(marker, selected)), ...finds], [own, finds, selected]);
  const look = lookOf(item, part);
  return (
    <div className={`part part-${part.kind}${part.isError ? ' part-error' : ''}`}>
      <PartText
        title={<PartTitle item={item} part={part} />}
        part={part}
        marks={marks}
        cap={item.kind === 'input' ? caps.input : caps[part.kind]}
        unfolded={unfolded}
        onToggle={() => togglePart(store, item.index, part.index, unfolded)}
        raw={raw}
        look={look}
        className={look === 'code' ? `code code-${part.kind}` : `prose prose-${part.kind}`}
        label={labelOf(part)}
      />
      {own.map((marker) => (
        <MarkerReason key={marker.id} marker={marker} selected={marker.id === selected} />
      ))}
    </div>
  );
}

function markOf(marker: MarkerRow, selected: string | null): Mark {
  return {
    start: marker.start,
    end: marker.end,
    kind: 'marker',
    id: marker.id,
    current: marker.id === selected,
    quiet: marker.weak || marker.stale,
  };
}

function lookOf(item: ItemRow, part: PartRow): 'markdown' | 'code' | 'plain' {
  if (part.kind === 'text') return item.kind === 'input' ? 'plain' : 'markdown';
  return part.kind === 'reasoning' ? 'plain' : 'code';
}

function labelOf(part: PartRow): string {
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
function PartTitle({ item, part }: { readonly item: ItemRow; readonly part: PartRow }): ReactNode {
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
