// The parts of an item: reasoning, text, tool calls with their observations, raw records. Each with its marks and, below
// them, the reasons of its markers.

import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ItemRow, MarkerRow, PartRow } from '../../../app/contract/index.ts';
import { PartText } from '../../text/PartText.tsx';
import { capOf, labelOf, lookOf, PartTitle } from '../../text/part-look.tsx';
import type { Mark } from '../../text/runs.ts';
import { useEvidenceMarks } from './evidence-marks.ts';
import { MarkerReason } from './MarkerReason.tsx';
import { useScreen } from './screen-context.ts';
import { isUnfolded, togglePart } from './screen-store.ts';

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
  const evidence = useEvidenceMarks(item.index, part.index);
  const marks = useMemo(
    () => [...own.map((marker) => markOf(marker, selected)), ...evidence, ...finds],
    [own, evidence, finds, selected],
  );
  const look = lookOf(item, part);
  return (
    <div className={`part part-${part.kind}${part.isError ? ' part-error' : ''}`}>
      <PartText
        title={<PartTitle item={item} part={part} />}
        part={part}
        marks={marks}
        cap={capOf(item, part)}
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
