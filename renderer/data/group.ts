// Data of the group board: the siblings, and where two of them part.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** The board of a group, by its id or by one of its rollouts. */
export function useGroupBoard(id: string) {
  const { query } = useApi();
  return useQuery(query.group.board.queryOptions({ input: { id } }));
}

/** The actions at which two rollouts part; the last answer stays until the next is there. Null waits. */
export function useDivergence(pair: { readonly left: string; readonly right: string } | null) {
  const { query } = useApi();
  return useQuery({
    ...query.group.divergence.queryOptions({ input: pair ?? { left: '', right: '' } }),
    enabled: pair !== null,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}
