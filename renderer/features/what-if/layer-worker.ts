// The worker of the what-if screen: holds the columns and runs the estimators, so that a slider never waits for arithmetic. A
// setting that did not change is not computed again.

import '../../zod-setup.ts';
import type { WhatIfMember, WhatIfSetting } from '../../../app/contract/index.ts';
import type { RolloutInput } from '../../../app/domain/advantage/types.ts';
import { type Layer, layerOf } from '../../../app/domain/advantage/what-if/layer.ts';
import type { WorkerReply, WorkerRequest } from './messages.ts';
import { unpackRollout } from './unpack.ts';

let focus = '';
let members: readonly WhatIfMember[] = [];
const columns = new Map<string, RolloutInput>();
/** The layer that the screen has of either side. */
const sent = new Map<'a' | 'b', Layer>();
/** The last layer of either side with the setting it is of. */
const kept = new Map<'a' | 'b', { readonly key: string; readonly layer: Layer }>();

function layer(side: 'a' | 'b', setting: WhatIfSetting): Layer {
  const key = JSON.stringify(setting);
  for (const known of kept.values()) {
    if (known.key === key) {
      kept.set(side, known);
      return known.layer;
    }
  }
  const made = layerOf({ focus, members, columns }, setting);
  kept.set(side, { key, layer: made });
  return made;
}

function answer(request: WorkerRequest): void {
  switch (request.type) {
    case 'members':
      ({ focus, members } = request);
      kept.clear();
      return;
    case 'columns':
      columns.set(request.rollout.id, unpackRollout(request.rollout));
      kept.clear();
      return;
    case 'run': {
      const started = performance.now();
      const a = layer('a', request.a);
      const b = layer('b', request.b);
      const ms = performance.now() - started;
      const reply: WorkerReply = {
        id: request.id,
        a: sent.get('a') === a ? null : a,
        b: sent.get('b') === b ? null : b,
        ms,
      };
      sent.set('a', a).set('b', b);
      self.postMessage(reply);
    }
  }
}

// Boundary: only this screen starts this worker and speaks to it.
self.addEventListener('message', (event: MessageEvent<WorkerRequest>) => answer(event.data));
