// The advantage curve in small: mean per bucket with its range, zero line, borders of segments.

import type { SegmentRow } from '../../../app/contract/index.ts';
import { useSeries } from '../../data/inspector.ts';
import { formatSigned } from '../../ui/format.ts';

const width = 280;
const height = 54;
const buckets = 140;

/** The curve of a token column over the whole rollout. Space is reserved while it comes. */
export function Sparkline(props: {
  readonly id: string | undefined;
  readonly column: string;
  readonly segments: readonly SegmentRow[];
  /** Length of the rollout's token axis. */
  readonly tokens: number;
}) {
  const { tokens } = props;
  const series = useSeries(props.id, props.column, tokens, buckets);
  if (series === undefined || tokens === 0) return <div className="spark" />;
  const scale = series.scale ?? 0;
  const y = (value: number): number => height / 2 - (scale === 0 ? 0 : (value / scale) * (height / 2 - 3));
  const x = (bucket: number): number => ((bucket + 0.5) / Math.max(1, series.mean.length)) * width;
  const bars = series.mean.flatMap((mean, bucket) => {
    const low = series.min[bucket] ?? null;
    const high = series.max[bucket] ?? null;
    return mean === null || low === null || high === null ? [] : [{ bucket, mean, low, high }];
  });
  const label = `Advantage per token, largest ${formatSigned(scale)}`;
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <line className="spark-zero" x1="0" y1={height / 2} x2={width} y2={height / 2} />
      {props.segments.slice(1).map((segment) => {
        const at = (segment.axisStart / tokens) * width;
        return <line key={segment.index} className="spark-cut" x1={at} y1="0" x2={at} y2={height} />;
      })}
      {bars.map(({ bucket, mean, low, high }) => (
        <line
          key={bucket}
          className={mean >= 0 ? 'spark-positive' : 'spark-negative'}
          x1={x(bucket)}
          x2={x(bucket)}
          y1={Math.min(y(Math.max(high, 0)), height / 2 - 0.5)}
          y2={Math.max(y(Math.min(low, 0)), height / 2 + 0.5)}
        />
      ))}
    </svg>
  );
}
