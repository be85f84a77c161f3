// The figures of a group or training step under two settings: shares of the update by rollout, kind of segment and summary.

import { segmentKinds } from '../../../contract/vocabulary.ts';
import type { WhatIfComparison, WhatIfMember, WhatIfRow, WhatIfSummaryRow } from '../../../contract/what-if.ts';
import { sum } from '../sums.ts';
import type { SegmentMove } from './compare.ts';

/** One rollout's part: its segments, and why a side has no result (null where it has). */
export interface Moved {
  readonly member: WhatIfMember;
  readonly moves: readonly SegmentMove[];
  readonly whyA: string | null;
  readonly whyB: string | null;
}

type Figures = Pick<WhatIfComparison, 'rows' | 'kinds' | 'summaries' | 'totals'>;

/** Shares are of the sum of |weight × advantage| over all rollouts of that side; 0 where that is 0. */
export function comparisonOf(moved: readonly Moved[]): Figures {
  const totalA = sum(moved.flatMap(({ moves }) => moves.map(({ signalA }) => signalA)));
  const totalB = sum(moved.flatMap(({ moves }) => moves.map(({ signalB }) => signalB)));
  const shareA = (signal: number): number => (totalA > 0 ? signal / totalA : 0);
  const shareB = (signal: number): number => (totalB > 0 ? signal / totalB : 0);
  const rows = moved.map(({ member, moves, whyA, whyB }): WhatIfRow => {
    const signalA = sum(moves.map((move) => move.signalA));
    const signalB = sum(moves.map((move) => move.signalB));
    return {
      id: member.id,
      externalId: member.externalId,
      group: member.group,
      reward: member.reward,
      marked: member.marked,
      score: member.score,
      label: member.label,
      tokens: count(moves, 'tokens'),
      flips: count(moves, 'flips'),
      lost: count(moves, 'lost'),
      gained: count(moves, 'gained'),
      meanA: mean(moves, 'sumA', 'trainedA'),
      meanB: mean(moves, 'sumB', 'trainedB'),
      signalA: whyA === null ? signalA : null,
      signalB: whyB === null ? signalB : null,
      shareA: whyA === null ? shareA(signalA) : null,
      shareB: whyB === null ? shareB(signalB) : null,
      whyA,
      whyB,
    };
  });
  const kinds = segmentKinds.flatMap((kind) => {
    const some = moved.flatMap(({ moves }) => moves.filter((move) => move.kind === kind));
    if (some.length === 0) return [];
    return [
      {
        kind,
        segments: some.length,
        tokens: count(some, 'tokens'),
        shareA: shareA(sum(some.map(({ signalA }) => signalA))),
        shareB: shareB(sum(some.map(({ signalB }) => signalB))),
      },
    ];
  });
  const summaries = moved.flatMap(({ member, moves }) =>
    moves
      .filter(({ kind }) => kind === 'summary')
      .map(
        ({ index, tokens, signalA, signalB }): WhatIfSummaryRow => ({
          rollout: member.id,
          externalId: member.externalId,
          segment: index,
          tokens,
          shareA: shareA(signalA),
          shareB: shareB(signalB),
        }),
      ),
  );
  const marked = rows.filter((row) => row.marked);
  return {
    rows,
    kinds,
    summaries,
    totals: {
      rollouts: rows.length,
      tokens: rows.reduce((all, row) => all + row.tokens, 0),
      flips: rows.reduce((all, row) => all + row.flips, 0),
      lost: rows.reduce((all, row) => all + row.lost, 0),
      gained: rows.reduce((all, row) => all + row.gained, 0),
      moved: sum(rows.map((row) => Math.abs((row.shareB ?? 0) - (row.shareA ?? 0)))) / 2,
      marked: marked.length,
      markedShareA: sum(marked.map((row) => row.shareA ?? 0)),
      markedShareB: sum(marked.map((row) => row.shareB ?? 0)),
    },
  };
}

function count(moves: readonly SegmentMove[], name: 'tokens' | 'flips' | 'lost' | 'gained'): number {
  return moves.reduce((all, move) => all + move[name], 0);
}

/** Mean over the trained tokens of one side; null without any. */
function mean(moves: readonly SegmentMove[], sums: 'sumA' | 'sumB', trained: 'trainedA' | 'trainedB'): number | null {
  const tokens = moves.reduce((all, move) => all + move[trained], 0);
  return tokens === 0 ? null : sum(moves.map((move) => move[sums])) / tokens;
}
