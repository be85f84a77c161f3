// What a token says, with a little of what stands around it.

import type { ReactNode } from 'react';
import { useTokenTexts } from '../../data/tokens.ts';
import { visible } from './token-values.ts';

/** Tokens shown on either side. */
const around = 6;

/** The text around a token with the token lit; nothing where its log has no text and there is no tokenizer. */
export function TokenText(props: { readonly id: string; readonly token: number; readonly total: number }): ReactNode {
  const { id, token, total } = props;
  const start = Math.max(0, token - around);
  const end = Math.min(total, token + around + 1);
  const { data } = useTokenTexts(id, start, end);
  if (data === undefined || data.source === 'none' || token < data.start || token >= data.end) return null;
  const at = token - data.start;
  const text = (from: number, to: number) =>
    data.pieces
      .slice(from, to)
      .map((piece) => piece.text ?? '')
      .join('');
  const own = data.pieces[at];
  return (
    <div className="token-text">
      <span className="faint">{visible(text(0, at)).slice(-40)}</span>
      <mark>{visible(own?.text ?? '') || '·'}</mark>
      <span className="faint">{visible(text(at + 1, data.pieces.length)).slice(0, 40)}</span>
      {own?.partial === true && <div className="token-partial">part of a character</div>}
    </div>
  );
}
