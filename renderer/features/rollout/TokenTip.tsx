// Beside the cross-hair: what is known about the token under the pointer.

import { type ReactNode, useEffect, useState } from 'react';
import { useToken } from '../../data/rollout.ts';
import { formatCount } from '../../ui/format.ts';
import { segmentName } from '../../ui/segments.ts';
import { useScreen } from './screen-context.ts';
import { itemAt } from './spans.ts';
import { TokenText } from './TokenText.tsx';
import { formatTokenValue, tokenValueTitle } from './token-values.ts';

/** So many figures stand in two columns. */
const wideFrom = 12;

/** The figures and the text of a token. The engine is asked when the pointer rests, the place is known at once. */
export function TokenTip({ token }: { readonly token: number }): ReactNode {
  const { id, detail, runInput, segments, spans, outline } = useScreen();
  const [rested, setRested] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(token), 40);
    return () => clearTimeout(timer);
  }, [token]);
  const segment = segments.findLast((one) => one.axisStart <= token && one.tokens > 0) ?? segments[0];
  const bare = segment?.columns.length === 0;
  const { data } = useToken(id, bare ? null : rested, runInput);
  const step = outline[itemAt(spans, token)]?.step ?? null;
  const fresh = data?.axis === token;
  return (
    <div className="token-tip">
      <div className="token-place">
        {segment !== undefined && segmentName(segment)} · token {formatCount(token - (segment?.axisStart ?? 0))}
        {step !== null && ` · step ${step}`}
      </div>
      {!bare && rested === token && <TokenText id={id} token={token} total={detail.axisLength} />}
      {bare && <div className="faint">no token ids in the log</div>}
      {data !== undefined && (
        <dl className={`${data.values.length > wideFrom ? 'wide' : ''}${fresh ? '' : ' stale'}`}>
          {!data.trainable && <div className="faint">masked: not trained</div>}
          {data.values.map((value) => (
            <div key={value.name}>
              <dt>{tokenValueTitle(value.name)}</dt>
              <dd>{formatTokenValue(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
