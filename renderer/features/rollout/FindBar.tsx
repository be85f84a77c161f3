// Find within the rollout: a bar above the steps. Enter is the next hit, Shift Enter the one before, Escape closes.

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useActions } from '../../actions.ts';
import { explain } from '../../data/rollout.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { useScreen } from './screen-context.ts';

/** The bar. `listed` hits can be walked, `total` were found. */
export function FindBar(props: {
  readonly listed: number;
  readonly total: number | null;
  readonly failed: Error | null;
  readonly onMove: (by: number) => void;
}): ReactNode {
  const { store } = useScreen();
  const text = useStore(store, (state) => state.find);
  const hit = useStore(store, (state) => state.hit);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  // Pressed again while the bar is open, the key comes back to the field.
  useActions('rollout', {
    find: () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const close = () => store.setState({ findOpen: false, find: '', hit: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') props.onMove(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar">
      <Icon name="search" size={14} />
      <input
        ref={field}
        className="find-input"
        type="text"
        aria-label="Find in rollout"
        placeholder="Find in rollout"
        maxLength={400}
        value={text}
        onChange={(event) => store.setState({ find: event.target.value, hit: 0 })}
        onKeyDown={onKeyDown}
      />
      <span className="find-count" role="status">
        {count(props, text, hit)}
      </span>
      <Button
        variant="quiet"
        icon
        aria-label="Previous hit"
        disabled={props.listed === 0}
        onClick={() => props.onMove(-1)}
      >
        <Icon name="up" size={14} />
      </Button>
      <Button variant="quiet" icon aria-label="Next hit" disabled={props.listed === 0} onClick={() => props.onMove(1)}>
        <Icon name="down" size={14} />
      </Button>
      <Button variant="quiet" icon aria-label="Close find" onClick={close}>
        <Icon name="close" size={14} />
      </Button>
    </search>
  );
}

function count(
  props: { readonly listed: number; readonly total: number | null; readonly failed: Error | null },
  text: string,
  hit: number,
): string {
  if (text === '') return '';
  if (props.failed !== null) return explain(props.failed).message;
  if (props.total === null) return '…';
  if (props.total === 0) return 'not found';
  const more = props.total > props.listed ? ` (first ${formatCount(props.listed)})` : '';
  return `${formatCount(hit + 1)} of ${formatCount(props.total)}${more}`;
}
