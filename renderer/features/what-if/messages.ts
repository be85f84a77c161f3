// What the screen and its worker say to each other.

import type { PackedRollout, WhatIfMember, WhatIfSetting } from '../../../app/contract/index.ts';
import type { Layer } from '../../../app/domain/advantage/what-if/layer.ts';

export type WorkerRequest =
  | { readonly type: 'members'; readonly focus: string; readonly members: readonly WhatIfMember[] }
  /** Columns of one rollout; kept until the worker ends. */
  | { readonly type: 'columns'; readonly rollout: PackedRollout }
  | { readonly type: 'run'; readonly id: number; readonly a: WhatIfSetting; readonly b: WhatIfSetting };

/** The layers of a run; null is the layer of that side in the reply before. `ms` is the time of computing. */
export interface WorkerReply {
  readonly id: number;
  readonly a: Layer | null;
  readonly b: Layer | null;
  readonly ms: number;
}
