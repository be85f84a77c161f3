// The figures of the token that was clicked on the axis, for as long as the person stays with it.

import type { ReactNode } from 'react';
import { useToken } from '../../data/rollout.ts';
import { formatCount } from '../../ui/format.ts';
import { FactRow } from './FactRow.tsx';
import { useScreen, useScreenState } from './screen-context.ts';
import { TokenText } from './TokenText.tsx';
import { formatTokenValue, tokenValueTitle } from './token-values.ts';

/** The panel; nothing until a token was clicked. */
export function TokenPanel(): ReactNode {
  const { id, detail, runInput, segments, store } = useScreen();
  const token = useScreenState((state) => state.token);
  const segment = token === null ? undefined : segments.findLast((one) => one.axisStart <= token && one.tokens > 0);
  const { data } = useToken(id, segment === undefined || segment.columns.length === 0 ? null : token, runInput);
  if (token === null || segment === undefined) return null;
  const known = data?.axis === token ? data : undefined;
  return (
    <section aria-labelledby="token-title">
      <h2 id="token-title" className="section-title">
        Token
        <span className="aside">
          <button type="button" className="link" onClick={() => store.setState({ token: null })}>
            close
          </button>
        </span>
      </h2>
      <dl className="facts">
        <FactRow name="place" value={`${formatCount(token - segment.axisStart)} of segment ${segment.index + 1}`} />
        <FactRow name="in the loss" value={known === undefined ? '–' : known.trainable ? 'yes' : 'no, masked'} />
        {known?.values.map((value) => (
          <FactRow key={value.name} name={tokenValueTitle(value.name)} value={formatTokenValue(value)} />
        ))}
      </dl>
      {segment.columns.length > 0 && <TokenText id={id} token={token} total={detail.axisLength} />}
    </section>
  );
}
