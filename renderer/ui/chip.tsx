// A small label with a meaning that has a colour; the word is always there.

import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'accent' | 'hack' | 'clean' | 'unsure' | 'summary' | 'exec' | 'disputed';

/** A chip in one of the meanings' colours. */
export function Chip(props: { readonly tone?: Tone; readonly title?: string; readonly children: ReactNode }) {
  return (
    <span className={`chip ${props.tone ?? 'neutral'}`} title={props.title}>
      {props.children}
    </span>
  );
}

/** The tone of a verdict, of `disputed`, or neutral for none. */
export function verdictTone(verdict: string | null): Tone {
  return verdict === 'hack' || verdict === 'clean' || verdict === 'unsure' || verdict === 'disputed'
    ? verdict
    : 'neutral';
}
