// Data of the what-if screen: the batch in counts, token columns of single rollouts, and the figures of a whole scope.

import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PackedRollout, WhatIfScope, WhatIfSetting } from '../../app/contract/index.ts';
import { useApi } from './api.ts';

/** Columns of rollouts that nobody shows any more are dropped after this. */
const columnsLifeMs = 60_000;

/** The rollouts of a scope with their counts. */
export function useWhatIfMembers(rollout: string, scope: WhatIfScope) {
  const { query } = useApi();
  return useQuery(query.whatIf.members.queryOptions({ input: { rollout, scope } }));
}

/** The packed columns of these rollouts, in order, as far as they are there. */
export function usePackedRollouts(rollouts: readonly string[]): {
  readonly packed: readonly PackedRollout[];
  readonly complete: boolean;
  readonly error: Error | null;
} {
  const { query } = useApi();
  return useQueries({
    queries: rollouts.map((rollout) => ({
      ...query.whatIf.columns.queryOptions({ input: { rollout } }),
      gcTime: columnsLifeMs,
    })),
    combine: combinePacked,
  });
}

function combinePacked(
  results: readonly {
    readonly data: PackedRollout | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  }[],
) {
  return {
    packed: results.flatMap((result) => (result.data === undefined ? [] : [result.data])),
    complete: results.every((result) => !result.isPending),
    error: results.find((result) => result.error !== null)?.error ?? null,
  };
}

/**
 * Both settings over a scope. The engine stops computing when the settings change or the screen goes; the last figures stay until
 * the next are there. `enabled` false waits.
 */
export function useWhatIfComparison(
  rollout: string,
  scope: WhatIfScope,
  a: WhatIfSetting,
  b: WhatIfSetting,
  enabled: boolean,
) {
  const { query } = useApi();
  const cache = useQueryClient();
  const options = query.whatIf.compare.queryOptions({ input: { rollout, scope, a, b } });
  const result = useQuery({ ...options, placeholderData: keepPreviousData, gcTime: columnsLifeMs, enabled });
  return {
    /** The figures, or those before them while the newer ones are computed. */
    data: result.data,
    error: result.error,
    computing: result.isFetching,
    /** The figures shown, if any, are not of these settings and nothing is computing: it was cancelled. */
    cancelled: enabled && !result.isFetching && result.error === null && (result.isPlaceholderData || result.isPending),
    compute: () => void result.refetch(),
    cancel: () => void cache.cancelQueries({ queryKey: options.queryKey }),
  };
}
