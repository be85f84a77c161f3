// What the Rollout screen shows at the moment and is worth a place in the URL or must survive scrolling: selection,
// what is unfolded, the find. One store per opened rollout.

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Span } from '../../../app/contract/index.ts';
import type { RolloutRoute } from '../../routes.ts';
import type { TokenSpan } from '../../ui/axis/store.ts';

export interface ScreenState {
  /** Selected item; null before the first selection. */
  readonly item: number | null;
  /** Selected marker; it is in the selected item. */
  readonly marker: string | null;
  /** A place of the selected marker's evidence that is looked at: a hop of its chain, the answer to one of its questions. */
  readonly focus: Span | null;
  /** Unfolded (or folded) items and parts: `item`, `item:part`. Absent means the default of the part. */
  readonly unfolded: ReadonlyMap<string, boolean>;
  /** First items of carried-over runs that are shown. */
  readonly carried: ReadonlySet<number>;
  /** Items shown as the log wrote them. */
  readonly raw: ReadonlySet<number>;
  readonly findOpen: boolean;
  readonly find: string;
  /** Current hit of the find. */
  readonly hit: number;
  /** Estimator run asked for by the person or the URL; null takes the newest. */
  readonly run: string | null;
  /** Token that was clicked on the axis. */
  readonly token: number | null;
  /** Tokens that were selected on the axis; null while a step is what is selected. */
  readonly span: TokenSpan | null;
  /** Column of the strip by its key, null for the most telling one; a second one to compare; drawn as a curve. */
  readonly column: string | null;
  readonly against: string | null;
  readonly curve: boolean;
  /** Counts requests to bring the selection into view, so that asking twice scrolls twice. */
  readonly reveal: number;
  /** Whether the last request wants the whole segment from its header on, or only the item in view. */
  readonly revealAs: 'item' | 'segment';
}

export type ScreenStore = StoreApi<ScreenState>;

/** A store that starts where the route says. */
export function createScreenStore(route: RolloutRoute | null): ScreenStore {
  return createStore<ScreenState>(() => ({
    item: route?.item ?? null,
    marker: route?.marker ?? null,
    focus: parsePlace(route?.at),
    unfolded: new Map(),
    carried: new Set(),
    raw: new Set(),
    findOpen: (route?.find ?? '') !== '',
    find: route?.find ?? '',
    hit: 0,
    run: route?.run ?? null,
    token: null,
    span: route?.span ?? null,
    column: route?.col ?? null,
    against: route?.vs ?? null,
    curve: route?.strip === 'curve',
    reveal: 0,
    revealAs: 'item',
  }));
}

/** A span as the URL has it: `item.part.start.end`. */
export function placeText({ item, part, start, end }: Span): string {
  return [item, part, start, end].join('.');
}

/** The span of such a text; null for any other. */
export function parsePlace(text: string | undefined): Span | null {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text ?? '');
  if (match === null) return null;
  const [item = 0, part = 0, start = 0, end = 0] = match.slice(1).map(Number);
  return end > start ? { item, part, start, end } : null;
}

/** Whether a part is unfolded: its own state, else its item's, else `byDefault`. */
export function isUnfolded(
  unfolded: ReadonlyMap<string, boolean>,
  item: number,
  part: number,
  byDefault = false,
): boolean {
  return unfolded.get(`${item}:${part}`) ?? unfolded.get(`${item}`) ?? byDefault;
}

/** Folds or unfolds a part. */
export function togglePart(store: ScreenStore, item: number, part: number, now: boolean): void {
  const unfolded = new Map(store.getState().unfolded);
  unfolded.set(`${item}:${part}`, !now);
  store.setState({ unfolded });
}

/** Folds or unfolds all parts of an item. */
export function toggleItem(store: ScreenStore, item: number): void {
  const before = store.getState().unfolded;
  const open = before.get(`${item}`) === true;
  const unfolded = new Map([...before].filter(([key]) => !key.startsWith(`${item}:`)));
  unfolded.set(`${item}`, !open);
  store.setState({ unfolded });
}

/** Shows or hides a run of carried-over items by its first item. */
export function toggleCarried(store: ScreenStore, first: number): void {
  const carried = new Set(store.getState().carried);
  if (!carried.delete(first)) carried.add(first);
  store.setState({ carried });
}

/** Switches an item between its view and the log's own text. */
export function toggleRaw(store: ScreenStore, item: number): void {
  const raw = new Set(store.getState().raw);
  if (!raw.delete(item)) raw.add(item);
  store.setState({ raw });
}
