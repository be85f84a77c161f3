// Text on screen: runs with their marks, hidden characters made visible, terminal colours as classes. Text only, ever.

import { createContext, type ReactNode, useContext } from 'react';
import { ansiPieces, hasAnsi } from './ansi.ts';
import { cutRuns, type Mark, type Run } from './runs.ts';

/**
 * Whether every run on screen carries its offset (`data-at`), so that a selection can be told in offsets of the text
 * (text/selection.ts). Off where nobody asks, to keep the page small.
 */
export const OffsetsContext = createContext(false);

interface RunsProps {
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
  readonly marks: readonly Mark[];
  /** Reads terminal escape sequences. */
  readonly ansi?: boolean;
}

/** text[from, to) as React nodes. */
export function Runs({ text, from = 0, to = text.length, marks, ansi = false }: RunsProps): ReactNode {
  if (!ansi || !hasAnsi(text))
    return cutRuns(text, from, to, marks).map((run) => <RunView key={run.start} text={text} run={run} />);
  return ansiPieces(text, from, to).map((piece) => (
    <span
      key={piece.start}
      className={piece.classes === '' ? undefined : piece.classes}
      style={{
        ...(piece.colour === null ? {} : { color: piece.colour }),
        ...(piece.background === null ? {} : { background: piece.background }),
      }}
    >
      {cutRuns(text, piece.start, piece.end, marks).map((run) => (
        <RunView key={run.start} text={text} run={run} />
      ))}
    </span>
  ));
}

function RunView({ text, run }: { readonly text: string; readonly run: Run }): ReactNode {
  const at = useContext(OffsetsContext) ? run.start : undefined;
  const shown =
    run.invisible === null ? (
      text.slice(run.start, run.end)
    ) : (
      <span className="hidden-char" title={`${run.invisible.code}, a character that is normally invisible`}>
        {run.invisible.label}
        {run.invisible.label === 'LSEP' || run.invisible.label === 'PSEP' ? <br /> : null}
      </span>
    );
  if (run.marks.length === 0) {
    return at === undefined ? shown : <span data-at={at}>{shown}</span>;
  }
  const classes = new Set<string>();
  for (const mark of run.marks) {
    classes.add(`mark-${mark.kind}`);
    if (mark.current) classes.add(`mark-${mark.kind}-current`);
    if (mark.quiet === true) classes.add('mark-quiet');
    if (mark.tone !== undefined) classes.add(`mark-tone-${mark.tone}`);
  }
  return (
    <mark
      className={[...classes].join(' ')}
      data-at={at}
      data-mark={run.marks.map((mark) => `${mark.kind}-${mark.id}`).join(' ')}
    >
      {shown}
    </mark>
  );
}
