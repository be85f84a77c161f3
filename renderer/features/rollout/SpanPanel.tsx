// The tokens that were selected on the axis: where they are, what they say, the steps they belong to and the figures of the strip
// over them.

import { type ReactNode, useMemo } from 'react';
import { explain, useSeries } from '../../data/rollout.ts';
import { useTokenTexts } from '../../data/tokens.ts';
import type { TokenSpan } from '../../ui/axis/store.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { FactRow } from './FactRow.tsx';
import { useScreen, useScreenState } from './screen-context.ts';
import { stepsIn } from './spans.ts';
import { chosenColumn, stripColumns } from './strip-columns.ts';
import { formatFigure } from './token-values.ts';

/** Tokens whose text is shown; the contract allows 4,096 at once. */
const mostTokens = 2048;
/** Steps that are listed as links. */
const mostSteps = 12;

/** The panel; nothing until a span is selected. */
export function SpanPanel(): ReactNode {
  const span = useScreenState((state) => state.span);
  return span === null ? null : <Span span={span} />;
}

function Span({ span }: { readonly span: TokenSpan }): ReactNode {
  const { id, segments, spans, outline, shown, store, select } = useScreen();
  const key = useScreenState((state) => state.column);
  const column = useMemo(() => chosenColumn(stripColumns(segments, shown), key), [segments, shown, key]);
  const request = useMemo(() => [{ ...span, buckets: 1 }], [span]);
  const { series, error } = useSeries(id, column?.column ?? null, request);
  const shownEnd = Math.min(span.end, span.start + mostTokens);
  const { data: texts } = useTokenTexts(id, span.start, shownEnd);
  const steps = stepsIn(spans, outline, span);
  const [first, last] = [span.start, span.end - 1].map((token) => segments.findLast((one) => one.axisStart <= token));
  const place = (token: number, segment: typeof first) =>
    segment === undefined ? formatCount(token) : `${segment.index + 1}:${formatCount(token - segment.axisStart)}`;
  const figures = series[0];
  const tokens = span.end - span.start;
  const known = texts !== undefined && texts.start === span.start && texts.end === shownEnd && texts.text !== null;
  return (
    <section aria-labelledby="span-title">
      <h2 id="span-title" className="section-title">
        {plural(tokens, 'selected token')}
        <span className="aside">
          <button type="button" className="link" onClick={() => store.setState({ span: null })}>
            close
          </button>
        </span>
      </h2>
      <dl className="facts">
        <FactRow name="place" value={`${place(span.start, first)} to ${place(span.end - 1, last)} (segment:token)`} />
        {figures !== undefined && column !== null && (
          <>
            <FactRow name="in the loss" value={formatCount(Math.round((figures.trainable[0] ?? 0) * tokens))} />
            <FactRow name={column.title} value={`mean ${formatFigure(figures.mean[0] ?? null)}`} />
            <FactRow
              name=""
              value={`${formatFigure(figures.min[0] ?? null)} to ${formatFigure(figures.max[0] ?? null)}`}
            />
          </>
        )}
        {error !== null && column !== null && <FactRow name={column.title} value={explain(error).message} />}
      </dl>
      {steps.length > 0 && (
        <p className="span-steps">
          {steps.slice(0, mostSteps).map(({ item, step }) => (
            <button
              key={item}
              type="button"
              className="link"
              onClick={() => {
                select(item);
                store.setState({ span });
              }}
            >
              step {step}
            </button>
          ))}
          {steps.length > mostSteps && <span className="muted">and {steps.length - mostSteps} more</span>}
        </p>
      )}
      {known && <pre className="span-text">{texts.text}</pre>}
      {known && shownEnd < span.end && <p className="muted">The first {formatCount(mostTokens)} tokens.</p>}
      {texts?.source === 'none' && (
        <p className="muted">
          The log has no texts of its tokens. A <code>tokenizer.json</code> set in Settings, or beside the log, shows
          them.
        </p>
      )}
    </section>
  );
}
