// How a value travelled: source, carriers, sink. Each hop is a link to its span.

import type { ReactNode } from 'react';
import type { ChainHop, MarkerRow } from '../../../app/contract/index.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatNumber } from '../../ui/format.ts';
import { segmentByIndex, useScreen, useScreenState } from './screen-context.ts';

/** The chain of a marker. */
export function EvidenceChain({ marker }: { readonly marker: MarkerRow }): ReactNode {
  const { segments, select } = useScreen();
  const item = useScreenState((state) => state.item);
  return (
    <section aria-labelledby="chain-title">
      <h2 id="chain-title" className="section-title">
        Evidence chain
        <span className="aside">
          <Chip tone="hack">{formatNumber(marker.score)}</Chip>
        </span>
      </h2>
      <ol className="chain">
        {marker.chain.map((hop, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hops are an ordered list that does not change
          <li key={index}>
            <button
              type="button"
              aria-current={hop.item === item ? 'true' : undefined}
              onClick={() => select(hop.item, marker.id)}
            >
              <span>
                <b>{hop.role}</b> · {placeOf(hop, segmentByIndex(segments, hop.segment)?.kind)}
              </span>
              <span className="mono muted chain-quote">{hop.quote}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function placeOf(hop: ChainHop, kind: string | undefined): string {
  const segment = kind === 'summary' ? `summary ${hop.segment + 1}` : `segment ${hop.segment + 1}`;
  return hop.step === null ? segment : `step ${hop.step}, ${segment}`;
}
