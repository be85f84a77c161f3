// The text of one part: folded to its head and what is around its marks, unfolded on demand, and fetched whole from the host
// when the reply held only its beginning.

import { Fragment, type ReactNode, useMemo } from 'react';
import type { PartRow } from '../../app/contract/index.ts';
import { viewOfPart } from '../../app/domain/text/view.ts';
import { explain, useBody } from '../data/rollout.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { LongText } from './LongText.tsx';
import { Markdown } from './Markdown.tsx';
import { Runs } from './Runs.tsx';
import type { Mark } from './runs.ts';
import { type Cap, collapsedWindows } from './windows.ts';

/** Unfolded texts above this many characters scroll in a box of their own. */
const inlineChars = 24_000;

export interface PartTextProps {
  readonly part: PartRow;
  readonly marks: readonly Mark[];
  readonly cap: Cap;
  readonly unfolded: boolean;
  readonly onToggle: () => void;
  /** As the log wrote it: no view of arguments, no markdown, no terminal colours. */
  readonly raw: boolean;
  readonly look: 'markdown' | 'code' | 'plain';
  readonly className: string;
  readonly label: string;
  /** Stands in the corner of the block. */
  readonly title: ReactNode;
}

/** The text of a part with its marks. */
export function PartText(props: PartTextProps): ReactNode {
  const { part, marks, unfolded, raw } = props;
  const cut = part.text.length < part.size;
  const farMark = marks.some((mark) => mark.end > part.text.length || part.kind === 'tool_call');
  const body = useBody(part.body, cut && (unfolded || farMark));
  const source = body.data ?? part.text;
  const text = useMemo(() => (raw ? source : viewOfPart(part.kind, source)), [raw, part.kind, source]);
  // Spans count in the view text; in the log's own text they would point to the wrong characters.
  const shownMarks = raw && text !== viewOfPart(part.kind, source) ? [] : marks;
  const ansi = !raw && part.kind === 'observation';
  const whole = !cut || body.data !== undefined;
  const windows = useMemo(() => collapsedWindows(text, props.cap, shownMarks), [text, props.cap, shownMarks]);
  const folds = !whole || windows.length > 1 || (windows[0]?.end ?? 0) < text.length;

  if (unfolded && whole && text.length > inlineChars) {
    return (
      <div className={props.className}>
        {props.title}
        <LongText text={text} marks={shownMarks} ansi={ansi} label={props.label} />
        <FoldButton onClick={props.onToggle}>Show less</FoldButton>
      </div>
    );
  }
  const ranges = unfolded ? [{ start: 0, end: text.length }] : windows;
  const last = ranges.at(-1)?.end ?? 0;
  const total = cut ? part.size : text.length;
  return (
    <div className={props.className}>
      {props.title}
      {total === 0 && <span className="faint">{part.kind === 'observation' ? 'no output' : 'empty'}</span>}
      {ranges.map((range, index) => (
        <Fragment key={range.start}>
          {index > 0 && <Gap from={ranges[index - 1]?.end ?? 0} to={range.start} onClick={props.onToggle} />}
          <RangeText {...props} text={text} from={range.start} to={range.end} marks={shownMarks} ansi={ansi} />
        </Fragment>
      ))}
      {unfolded && cut && body.isFetching && (
        <p className="fold-note">Loading all {formatCount(part.size)} characters…</p>
      )}
      {body.error !== null && <p className="fold-note bad">{explain(body.error).message}</p>}
      {folds && !unfolded && last < total && (
        <FoldButton onClick={props.onToggle}>Show all {formatCount(total)} characters</FoldButton>
      )}
      {unfolded && folds && <FoldButton onClick={props.onToggle}>Show less</FoldButton>}
    </div>
  );
}

function RangeText(props: PartTextProps & { text: string; from: number; to: number; ansi: boolean }): ReactNode {
  if (props.look === 'markdown' && !props.raw) {
    return <Markdown text={props.text} from={props.from} to={props.to} marks={props.marks} />;
  }
  return <Runs text={props.text} from={props.from} to={props.to} marks={props.marks} ansi={props.ansi} />;
}

function Gap(props: { readonly from: number; readonly to: number; readonly onClick: () => void }): ReactNode {
  return <FoldButton onClick={props.onClick}>{formatCount(props.to - props.from)} characters not shown</FoldButton>;
}

function FoldButton(props: { readonly onClick: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <Button variant="quiet" className="fold" onClick={props.onClick}>
      {props.children}
    </Button>
  );
}
