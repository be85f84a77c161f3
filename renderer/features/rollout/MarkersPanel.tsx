// All markers of the rollout in order; `n` and `p` walk them.

import type { ReactNode } from 'react';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { useScreen, useScreenState } from './screen-context.ts';

/** The list of markers. */
export function MarkersPanel(): ReactNode {
  const { markers, detail, selectMarker } = useScreen();
  const selected = useScreenState((state) => state.marker);
  const { score } = detail.rollout;
  return (
    <section aria-labelledby="markers-title">
      <h2 id="markers-title" className="section-title">
        Markers
        <span className="aside">
          {markers.length > 1 && (
            <>
              <Kbd name="n" /> <Kbd name="p" />{' '}
            </>
          )}
          {markers.length}
        </span>
      </h2>
      {markers.length === 0 && (
        <p className="muted side-note">
          {score === null
            ? 'No scan yet. Run the rule pack from the palette.'
            : 'The rule pack found nothing suspicious.'}
        </p>
      )}
      <ul className="markers">
        {markers.map((marker) => (
          <li key={marker.id}>
            <button
              type="button"
              className={`marker-row${marker.weak ? ' weak' : ''}`}
              aria-pressed={marker.id === selected}
              onClick={() => selectMarker(marker)}
            >
              <span className="marker-line">
                <b>{marker.kind}</b>
                <span className="mono faint">{marker.rule}</span>
                {marker.stale && <Chip tone="disputed">stale</Chip>}
                {marker.label !== null && <Chip tone={verdictTone(marker.label)}>{marker.label}</Chip>}
                <span className="marker-place">
                  {marker.step === null ? `segment ${marker.segment + 1}` : `step ${marker.step}`} ·{' '}
                  {formatNumber(marker.score)}
                </span>
              </span>
              <span className="mono muted ellipsis marker-quote">{marker.quote}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
