// How a value travelled: source, carriers, sink. Each hop is a link to its span; borders between segments are said.

import { Fragment, type ReactNode } from 'react';
import type { ChainHop, MarkerRow, SegmentRow } from '../../../app/contract/index.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { hopPlace, hopTone } from './chain-words.ts';
import { hopAt } from './moves.ts';
import { segmentByIndex, useScreen, useScreenState } from './screen-context.ts';

/** The chain of a marker. */
export function EvidenceChain({ marker }: { readonly marker: MarkerRow }): ReactNode {
  const { segments, selectSpan } = useScreen();
  const focus = useScreenState((state) => state.focus);
  const { chain } = marker;
  const current = hopAt(chain, focus);
  return (
    <section aria-labelledby="chain-title">
      <h2 id="chain-title" className="section-title">
        Evidence chain
        <span className="aside">
          <Kbd name="h" /> <Kbd name="l" /> {chain.length} hops
        </span>
      </h2>
      <ol className="chain">
        {chain.map((hop, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hops are an ordered list that does not change
          <Fragment key={index}>
            <Border before={chain[index - 1]} hop={hop} segments={segments} />
            <li className={`chain-hop hop-${hopTone(hop, segments)} hop-${hop.role}`}>
              <button
                type="button"
                aria-current={index === current ? 'true' : undefined}
                onClick={() => selectSpan(hop, marker.id)}
              >
                <span>
                  <span className="chain-number">{index + 1}</span> <b>{hop.role}</b> · {hopPlace(hop, segments)}
                </span>
                <span className="mono muted chain-quote">{hop.quote}</span>
              </button>
            </li>
          </Fragment>
        ))}
      </ol>
    </section>
  );
}

/** The line between hops of different segments: what lies between them. */
function Border(props: {
  readonly before: ChainHop | undefined;
  readonly hop: ChainHop;
  readonly segments: readonly SegmentRow[];
}): ReactNode {
  const { before, hop, segments } = props;
  if (before === undefined || before.segment === hop.segment) return null;
  const between = segments.filter(({ index }) => index > before.segment && index <= hop.segment);
  const compactions = between.filter(({ link }) => link === 'compaction').length;
  const into = segmentByIndex(segments, hop.segment)?.kind;
  const words =
    into === 'summary'
      ? 'into the summary'
      : compactions === 0
        ? 'into another segment'
        : compactions === 1
          ? 'across a compaction'
          : `across ${compactions} compactions`;
  return <li className="chain-crossing faint">{words}</li>;
}
