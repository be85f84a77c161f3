// The nearest look-alikes: the same rule where people said "legitimate", else what the rule itself calls clean.

import type { ReactNode } from 'react';
import type { EvidenceReport, MarkerRow } from '../../../app/contract/index.ts';
import { formatRoute } from '../../routes.ts';
import { formatPercent } from '../../ui/format.ts';

/** The section; `evidence` is undefined until it was read, or where it may not be seen. */
export function LookAlikes(props: {
  readonly marker: MarkerRow;
  readonly evidence: EvidenceReport | undefined;
}): ReactNode {
  const { marker, evidence } = props;
  const found = evidence?.lookAlikes ?? [];
  const example = evidence?.rule?.clean[0];
  return (
    <section aria-labelledby="look-alikes-title">
      <h2 id="look-alikes-title" className="section-title">
        Here it was legitimate
      </h2>
      {found.map((one) => (
        <a
          key={one.marker}
          className="look-alike"
          href={formatRoute({ screen: 'rollout', id: one.rollout, marker: one.marker })}
        >
          <span>
            <span className="mono">{one.rollout}</span>{' '}
            <span className="muted">{one.by === 'marker' ? 'marker rejected' : 'rollout labelled clean'}</span>
            <span className="look-alike-share faint">{formatPercent(one.likeness, 0)} alike</span>
          </span>
          <span className="mono muted chain-quote">{one.quote}</span>
        </a>
      ))}
      {evidence !== undefined && found.length === 0 && (
        <p className="muted side-note">
          No hit of {marker.rule} elsewhere was rejected or stands in a rollout labelled clean
          {example === undefined ? '.' : '; the rule itself says this is not meant:'}
        </p>
      )}
      {evidence !== undefined && found.length === 0 && example !== undefined && (
        <pre className="look-alike-example">{example}</pre>
      )}
      {marker.benign.length > 0 && (
        <ul className="benign faint" aria-label="Legitimate cases that look the same">
          {marker.benign.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
