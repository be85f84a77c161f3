// What the parts of the review desk share: the sitting, what is asked, and how far the reader got in the item.

import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type {
  CurrentLabel,
  ItemOutline,
  LabelSchema,
  QueueRow,
  ReviewItem,
  SegmentRow,
} from '../../../app/contract/index.ts';
import type { ReviewSession } from '../../data/review-session.ts';
import type { SelectedSpan } from '../../text/selection.ts';
import { type Draft, emptyDraft } from './draft.ts';
import type { Place } from './places.ts';
import type { Row } from './rows.ts';

export type View = 'evidence' | 'rollout' | 'about';

/** How an item is being read. Made anew for each item. */
export interface ReadingState {
  readonly view: View;
  /** Selected item of the rollout. */
  readonly step: number | null;
  /** Number of the place of the evidence that is looked at. */
  readonly place: number | null;
  /** Counts requests to bring the selection into view. */
  readonly reveal: number;
  readonly unfolded: ReadonlyMap<string, boolean>;
  readonly raw: ReadonlySet<number>;
  /** Items of gaps that were opened. */
  readonly opened: ReadonlySet<number>;
  readonly span: SelectedSpan | null;
  readonly spanDraft: Draft;
}

export type ReadingStore = StoreApi<ReadingState>;

/** A reading that starts at the first marked span, not at what led to it. */
export function createReading(places: readonly Place[], view: View): ReadingStore {
  const marked = places.findIndex(({ hop }) => !hop);
  const first = marked < 0 && places.length > 0 ? 0 : marked;
  return createStore<ReadingState>(() => ({
    view,
    step: places[first]?.item ?? null,
    place: first < 0 ? null : first,
    reveal: 0,
    unfolded: new Map(),
    raw: new Set(),
    opened: new Set(),
    span: null,
    spanDraft: emptyDraft,
  }));
}

export interface Desk {
  readonly queue: QueueRow;
  readonly schema: LabelSchema;
  readonly session: ReviewSession;
  readonly item: ReviewItem;
  readonly segments: readonly SegmentRow[];
  readonly outline: readonly ItemOutline[];
  readonly places: readonly Place[];
  readonly spans: readonly CurrentLabel[];
  readonly view: View;
  readonly rows: readonly Row[];
  readonly reading: ReadingStore;
  /** The answer in the making: for the selected text where there is one, else for the item. */
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  readonly save: () => void;
  /** Why the last save was not made; null when nothing is wrong. */
  readonly fault: string | null;
}

export const DeskContext = createContext<Desk | null>(null);

/** The desk. Throws outside of it. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('useDesk is used outside of the review desk');
  return desk;
}

/** A part of how the item is being read. */
export function useReading<T>(choose: (state: ReadingState) => T): T {
  return useStore(useDesk().reading, choose);
}

/** Selects an item of the rollout, and a place in it, and brings it into view. */
export function goTo(reading: ReadingStore, step: number, place: number | null = null): void {
  reading.setState(({ reveal }) => ({ step, place, reveal: reveal + 1 }));
}

/** Shows a view of the item, or the evidence again where it is shown already. */
export function switchView(reading: ReadingStore, view: View): void {
  reading.setState((state) => ({ view: state.view === view ? 'evidence' : view, reveal: state.reveal + 1 }));
}
