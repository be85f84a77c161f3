// The two steps at which a pair of siblings parts, line beside line.

import type { ReactNode } from 'react';
import type { BoardMember, DiffLine, GroupDivergence } from '../../../app/contract/index.ts';
import { useDivergence } from '../../data/group.ts';
import { formatRoute } from '../../routes.ts';
import { formatCount, formatNumber, plural } from '../../ui/format.ts';
import { EmptyState, ErrorState, Spinner } from '../../ui/states.tsx';

/** The pane; `left` is the one compared with. */
export function Divergence(props: {
  readonly left: BoardMember | undefined;
  readonly right: BoardMember | undefined;
}): ReactNode {
  const { left, right } = props;
  const pair = left === undefined || right === undefined ? null : { left: left.id, right: right.id };
  const { data, error, refetch } = useDivergence(pair);
  if (left === undefined || right === undefined) {
    return (
      <section className="gb-pair" aria-label="Where they part">
        <EmptyState title="There is no sibling to compare with">
          A group of one has no divergence; its baseline depends on the convention.
        </EmptyState>
      </section>
    );
  }
  return (
    <section className="gb-pair" aria-label="Where they part">
      {error !== null ? (
        <ErrorState title="The two steps could not be read" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <EmptyState title="Reading both steps">
          <Spinner />
        </EmptyState>
      ) : (
        <Steps left={left} right={right} found={data} />
      )}
    </section>
  );
}

function Steps(props: {
  readonly left: BoardMember;
  readonly right: BoardMember;
  readonly found: GroupDivergence;
}): ReactNode {
  const { left, right, found } = props;
  const same = found.left === null && found.right === null;
  return (
    <>
      <header className="gb-pair-head">
        <h2 className="section-title">
          {same
            ? `Both take the same ${plural(found.common, 'step')}`
            : found.common === 0
              ? 'They part at their first step'
              : `${plural(found.common, 'step')} alike, then step ${formatCount(found.common + 1)}`}
        </h2>
      </header>
      <div className="gb-sides">
        <SideHead member={left} at={found.left} />
        <SideHead member={right} at={found.right} />
      </div>
      {!same && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="gb-lines mono" aria-label="Both actions, line by line" tabIndex={0}>
          {found.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity and never move
            <Line key={at} line={line} />
          ))}
          {found.more > 0 && <p className="faint">{plural(found.more, 'more line')}: open the rollouts to read on.</p>}
        </section>
      )}
    </>
  );
}

function SideHead(props: { readonly member: BoardMember; readonly at: GroupDivergence['left'] }): ReactNode {
  const { member, at } = props;
  return (
    <p className="ellipsis">
      <a href={formatRoute({ screen: 'rollout', id: member.id, item: at?.item })}>{member.externalId}</a>{' '}
      <span className="faint">
        reward {formatNumber(member.reward)}
        {at === null ? ' · had ended' : ` · segment ${at.segment + 1}`}
      </span>
    </p>
  );
}

const words = { same: '', changed: 'differs', left: 'only here', right: 'only here' } as const;

function Line({ line }: { readonly line: DiffLine }): ReactNode {
  return (
    <div className={`gb-line ${line.kind}`}>
      <Half text={line.left} kind={line.kind} sign="−" />
      <Half text={line.right} kind={line.kind} sign="+" />
    </div>
  );
}

function Half(props: {
  readonly text: string | null;
  readonly kind: DiffLine['kind'];
  readonly sign: string;
}): ReactNode {
  const { text, kind } = props;
  if (text === null) return <span className="gb-half none" />;
  return (
    <span className="gb-half" title={words[kind] === '' ? undefined : words[kind]}>
      <span className="gb-sign" aria-hidden="true">
        {kind === 'same' ? ' ' : props.sign}
      </span>
      {text === '' ? ' ' : text}
    </span>
  );
}
