// The rollouts on which the pack and the label disagree, each a link.

import type { TuneReport } from '../../../app/contract/index.ts';
import { formatRoute } from '../../routes.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatNumber, plural } from '../../ui/format.ts';

const shown = 200;

/** The list. */
export function Flips({ report }: { readonly report: TuneReport }) {
  const { flips } = report;
  return (
    <section aria-label="Disagreements">
      <h2 className="section-title">
        Pack and label disagree
        <span className="aside">{plural(flips.length, 'rollout')}</span>
      </h2>
      {flips.length === 0 ? (
        <p className="muted">On every labelled rollout the pack says what the people say.</p>
      ) : (
        <ul className="flips">
          {flips.slice(0, shown).map((flip) => (
            <li key={flip.rollout}>
              <a href={formatRoute({ screen: 'rollout', id: flip.rollout })}>
                <span className="mono">{flip.rollout}</span>
                <Chip tone={verdictTone(flip.label)}>{flip.label}</Chip>
                <span className="muted">
                  {flip.marked ? `marked, ${formatNumber(flip.score)}` : `not marked, ${formatNumber(flip.score)}`}
                </span>
                <span className="faint ellipsis">{flip.kinds.join(', ')}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {flips.length > shown && (
        <p className="muted">
          Showing {shown} of {flips.length}. Move the threshold or label more to narrow them.
        </p>
      )}
    </section>
  );
}
