// The hack rate over training steps: a line of the marked share with its Wilson interval, and the labelled share as points with
// theirs; one line per model or run where it is split. Points are links for the pointer; the table below has them for the keyboard.

import { useLayoutEffect, useRef, useState } from 'react';
import type { HackRatePoint, HackRateReport } from '../../../app/contract/index.ts';
import { formatCount, formatPercent } from '../../ui/format.ts';
import { intervalText } from './proportion.tsx';
import { bandPath, ceilingOf, linePath, mostSeries, seriesOf, ticksOf } from './rate-scale.ts';

const height = 220;
const edge = { left: 44, right: 14, top: 10, bottom: 24 } as const;

/** The chart. */
export function RateChart(props: {
  readonly report: HackRateReport;
  readonly hrefOf: (point: HackRatePoint) => string;
}) {
  const { report } = props;
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    setWidth(Math.max(200, element.clientWidth));
    return () => observer.disconnect();
  }, []);
  const all = seriesOf(report.points);
  const series = all.slice(0, mostSeries);
  const points = series.flatMap((one) => one.points);
  const low = Math.min(...points.map(({ key }) => key));
  const high = Math.max(...points.map(({ key }) => key));
  const split = report.by !== null;
  const ceiling = ceilingOf(points.flatMap(({ marked, labelled }) => (split ? [marked] : [marked, labelled])));
  const x = (step: number): number =>
    high === low
      ? (edge.left + width - edge.right) / 2
      : edge.left + ((step - low) / (high - low)) * (width - edge.left - edge.right);
  const y = (share: number): number =>
    edge.top + (1 - Math.min(1, share / ceiling)) * (height - edge.top - edge.bottom);
  const orNull = (share: number | null): number | null => (share === null ? null : y(share));
  return (
    <figure className="rate-figure">
      <figcaption className="rate-legend">
        {split ? (
          series.map(({ name }, index) => (
            <span key={name} className={`rate-key rate-${index}`}>
              {name ?? 'not said'}
            </span>
          ))
        ) : (
          <>
            <span className="rate-key rate-0">marked, with its 95 % interval</span>
            <span className="rate-key rate-labelled">labelled hack</span>
          </>
        )}
        {all.length > series.length && (
          <span className="muted">{all.length - series.length} more in the table only</span>
        )}
      </figcaption>
      <div ref={place} className="rate-place" style={{ height }}>
        <svg width={width} height={height} role="img" aria-label="Share of marked and labelled hacks by training step">
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <g key={part}>
              <line
                className="grid-line"
                x1={edge.left}
                x2={width - edge.right}
                y1={y(part * ceiling)}
                y2={y(part * ceiling)}
              />
              <text className="rate-text" x={edge.left - 7} y={y(part * ceiling) + 4} textAnchor="end">
                {formatPercent(part * ceiling, ceiling <= 0.2 ? 1 : 0)}
              </text>
            </g>
          ))}
          {ticksOf(low, high, Math.floor(width / 90)).map((step) => (
            <text key={step} className="rate-text" x={x(step)} y={height - 7} textAnchor="middle">
              {formatCount(step)}
            </text>
          ))}
          {series.map(({ name, points: list }, index) => (
            <g key={name} className={`rate-${index}`}>
              {!split && (
                <path
                  className="rate-band"
                  d={bandPath(
                    list.map(({ key, marked }) => ({ x: x(key), low: orNull(marked.low), high: orNull(marked.high) })),
                  )}
                />
              )}
              <path
                className="rate-line"
                d={linePath(list.map(({ key, marked }) => ({ x: x(key), y: orNull(marked.value) })))}
              />
            </g>
          ))}
          {!split &&
            points.map(({ key, labelled }) =>
              labelled.value === null || labelled.low === null || labelled.high === null ? null : (
                <g key={key} className="rate-labelled">
                  <line x1={x(key)} x2={x(key)} y1={y(labelled.low)} y2={y(labelled.high)} />
                  <rect x={x(key) - 3} y={y(labelled.value) - 3} width="6" height="6" />
                </g>
              ),
            )}
        </svg>
        {points.map((point) =>
          point.marked.value === null ? null : (
            <a
              key={`${point.key} ${point.series}`}
              className="rate-point"
              href={props.hrefOf(point)}
              tabIndex={-1}
              style={{ left: x(point.key), top: y(point.marked.value) }}
              title={`Step ${point.key}${point.series === null ? '' : `, ${point.series}`}: ${formatPercent(point.marked.value)} of ${formatCount(point.marked.of)} marked\n${intervalText(point.marked)}\nlabelled hack: ${formatPercent(point.labelled.value)} of ${formatCount(point.labelled.of)}`}
            >
              <span className="visually-hidden">
                Marked at step {point.key}
                {point.series === null ? '' : `, ${point.series}`}
              </span>
            </a>
          ),
        )}
      </div>
    </figure>
  );
}
