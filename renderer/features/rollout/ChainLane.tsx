// The chain of the selected marker, drawn across the segments: a number at each hop, in the colour of its segment, and arcs from
// source to sink over the borders of compactions. It works where the hops themselves are folded or far away.

import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { MarkerRow } from '../../../app/contract/index.ts';
import { AxisLane, useAxis } from '../../ui/axis/Axis.tsx';
import { toPixel, toUnit } from '../../ui/axis/scale.ts';
import { plural } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { arc, chainPlaces } from './chain-places.ts';
import { hopPlace, hopTone } from './chain-words.ts';
import { hopAt } from './moves.ts';
import { useScreen, useScreenState } from './screen-context.ts';

const height = 34;
const gap = 19;
/** The line on which the numbers stand. */
const base = 23;

/** The lane; it is there for every rollout that has a chain, so that selecting a marker moves nothing. */
export function ChainLane(): ReactNode {
  const { markers } = useScreen();
  const selected = useScreenState((state) => state.marker);
  const chained = markers.filter(({ chain }) => chain.length > 1);
  if (chained.length === 0) return null;
  const marker = chained.find(({ id }) => id === selected);
  return (
    <AxisLane
      height={height}
      label={
        <>
          chain
          <br />
          {marker === undefined ? plural(chained.length, 'marker') : plural(marker.chain.length, 'hop')}
        </>
      }
    >
      {marker === undefined ? <Hint /> : <Chain marker={marker} />}
    </AxisLane>
  );
}

function Hint(): ReactNode {
  return (
    <p className="chain-hint faint">
      <Kbd name="n" /> Select a marker with a chain to see how it travelled.
    </p>
  );
}

function Chain({ marker }: { readonly marker: MarkerRow }): ReactNode {
  const { segments, spans, selectSpan } = useScreen();
  const { scale, store, width } = useAxis();
  const view = useStore(store, (state) => state.view);
  const focus = useScreenState((state) => state.focus);
  const { chain } = marker;
  const current = hopAt(chain, focus);
  const pixels = chain.map(({ item }) => {
    const span = spans[item];
    const token = span === undefined ? 0 : (span.start + Math.max(span.start, span.end - 1)) / 2;
    return toPixel(view, toUnit(scale, token), width);
  });
  const places = chainPlaces(pixels, width, { gap, margin: 12 });
  return (
    <div className="chain-lane">
      <svg width={width} height={height} aria-hidden="true">
        {scale.stops.map((stop, index) => {
          const x = toPixel(view, stop, width);
          return index === 0 || x < 1 || x > width - 1 ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: borders have no identity but their place
            <line key={index} className="chain-border" x1={x} x2={x} y1="0" y2={height} />
          );
        })}
        {places.map((place, index) => {
          const before = places[index - 1];
          const key = `${place.at}-${index}`;
          return (
            <g key={key}>
              <line className="chain-drop" x1={place.at} x2={place.x} y1={base + 7} y2={height} />
              {before !== undefined && (
                <path
                  className={`chain-arc${index === current || index - 1 === current ? ' on' : ''}`}
                  d={arc(before.at, place.at, base - 7)}
                />
              )}
            </g>
          );
        })}
      </svg>
      <ol aria-label="Evidence chain on the token axis">
        {chain.map((hop, index) => {
          const place = places[index];
          const words = `${hop.role}, ${hopPlace(hop, segments)}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: hops are an ordered list that does not change
            <li key={index} style={{ left: place?.at ?? 0, top: base }}>
              <button
                type="button"
                className={`hop hop-${hopTone(hop, segments)} hop-${hop.role}${index === current ? ' on' : ''}`}
                aria-label={`Hop ${index + 1} of ${chain.length}: ${words}`}
                aria-current={index === current ? 'true' : undefined}
                title={`${index + 1}. ${words}${place?.off == null ? '' : ' (beyond the view)'}\n${hop.quote.slice(0, 200)}`}
                onClick={() => selectSpan(hop, marker.id)}
              >
                {index + 1}
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
