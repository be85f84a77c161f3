// What the axis shows at the moment: the view, the place under the pointer. A store and not React state, because the
// pointer moves far more often than a screen should render.

import { createStore, type StoreApi } from 'zustand/vanilla';
import { type AxisView, wholeAxis } from './scale.ts';

interface AxisState {
  readonly view: AxisView;
  /** Token under the pointer; null when the pointer is elsewhere. */
  readonly hover: number | null;
  /** Tokens [start, end) being selected by a drag that has not ended. */
  readonly draft: TokenSpan | null;
}

/** Tokens [start, end) of the axis. */
export interface TokenSpan {
  readonly start: number;
  readonly end: number;
}

export type AxisStore = StoreApi<AxisState>;

/** A store for one axis: the whole rollout in view, nothing hovered. */
export function createAxisStore(): AxisStore {
  return createStore<AxisState>(() => ({ view: wholeAxis, hover: null, draft: null }));
}
