// The worker behind the strips: fed with what was fetched, asked for the latest settings, and measured from the change of a
// setting to the picture.

import { useEffect, useRef, useState } from 'react';
import type { PackedRollout, WhatIfMember, WhatIfSetting } from '../../../app/contract/index.ts';
import type { Layer } from '../../../app/domain/advantage/what-if/layer.ts';
import type { WorkerReply, WorkerRequest } from './messages.ts';

export interface Layers {
  readonly a: Layer;
  readonly b: Layer;
  /** Time of computing. */
  readonly ms: number;
}

interface Talk {
  readonly worker: Worker;
  /** Rollouts whose columns the worker has, by identity of the answer. */
  readonly sent: Set<PackedRollout>;
  members: readonly WhatIfMember[] | null;
  /** The layers last received: the worker sends only what is new. */
  a: Layer | null;
  b: Layer | null;
  last: number;
  /** A run is under way; the settings that wait for it to end. */
  busy: boolean;
  waiting: { readonly a: WhatIfSetting; readonly b: WhatIfSetting } | null;
}

/** Both layers of the latest settings; null until the first are there. A failure of the worker is thrown into the screen. */
export function useLayers(
  focus: string,
  members: readonly WhatIfMember[] | undefined,
  packed: readonly PackedRollout[],
  ready: boolean,
  a: WhatIfSetting,
  b: WhatIfSetting,
): Layers | null {
  const talk = useRef<Talk | null>(null);
  const [layers, setLayers] = useState<Layers | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);

  useEffect(() => {
    const worker = new Worker(new URL('./layer-worker.ts', import.meta.url), { type: 'module' });
    const mine: Talk = {
      worker,
      sent: new Set(),
      members: null,
      a: null,
      b: null,
      last: 0,
      busy: false,
      waiting: null,
    };
    talk.current = mine;
    worker.addEventListener('message', (event: MessageEvent<WorkerReply>) => {
      mine.busy = false;
      if (mine.waiting !== null) run(mine, mine.waiting);
      const { a: newA, b: newB, ms } = event.data;
      mine.a = newA ?? mine.a;
      mine.b = newB ?? mine.b;
      if (mine.a !== null && mine.b !== null) setLayers({ a: mine.a, b: mine.b, ms });
    });
    worker.addEventListener('error', (event) => setFailure(new Error(`The worker failed: ${event.message}`)));
    return () => {
      worker.terminate();
      talk.current = null;
    };
  }, []);

  useEffect(() => {
    const mine = talk.current;
    if (mine === null || members === undefined || !ready) return;
    if (mine.members !== members) {
      mine.members = members;
      say(mine.worker, { type: 'members', focus, members });
    }
    for (const rollout of packed) {
      if (mine.sent.has(rollout)) continue;
      mine.sent.add(rollout);
      say(mine.worker, { type: 'columns', rollout });
    }
    const settings = { a, b };
    if (mine.busy) mine.waiting = settings;
    else run(mine, settings);
  }, [focus, members, packed, ready, a, b]);

  if (failure !== null) throw failure;
  return layers;
}

function run(talk: Talk, settings: { readonly a: WhatIfSetting; readonly b: WhatIfSetting }): void {
  talk.busy = true;
  talk.waiting = null;
  talk.last += 1;
  say(talk.worker, { type: 'run', id: talk.last, ...settings });
}

function say(worker: Worker, request: WorkerRequest): void {
  worker.postMessage(request);
}
