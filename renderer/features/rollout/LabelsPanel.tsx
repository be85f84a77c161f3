// Every label in force on the rollout and what is in it: who said what, about what, when.

import type { ReactNode } from 'react';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatMoment } from '../../ui/format.ts';
import { describeTarget } from './labels.ts';
import { useScreen } from './screen-context.ts';

/** The labels in force, newest first. */
export function LabelsPanel(): ReactNode {
  const { detail, markers, selectMarker } = useScreen();
  if (detail.labels.length === 0) return null;
  const labels = detail.labels.toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <section aria-labelledby="labels-title">
      <h2 id="labels-title" className="section-title">
        Labels <span className="aside">{labels.length}</span>
      </h2>
      <ul className="labels">
        {labels.map((label) => {
          const marker = markers.find((one) => one.id === label.target.marker);
          const target = describeTarget(label.target, markers);
          return (
            <li key={label.id} title={`${formatMoment(label.at)} · ${label.origin}`}>
              <Chip tone={verdictTone(label.verdict)}>{label.verdict}</Chip>
              <span>
                <b>{label.annotator}</b> on{' '}
                {marker === undefined ? (
                  target
                ) : (
                  <button type="button" className="link" onClick={() => selectMarker(marker)}>
                    {target}
                  </button>
                )}
                {label.kinds.length > 0 && <span className="muted"> · {label.kinds.join(', ')}</span>}
                {label.note !== '' && <span className="muted"> · {label.note}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
