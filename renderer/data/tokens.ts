// Texts of tokens, and the tokenizer file that makes them from ids.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** Texts of the tokens [start, end); the last ones stay until the next are there. Nothing is asked for an empty span. */
export function useTokenTexts(id: string, start: number, end: number) {
  const { query } = useApi();
  return useQuery({
    ...query.rollouts.text.queryOptions({ input: { id, start, end } }),
    enabled: end > start,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
}

/** The tokenizer file of the workspace. */
export function useTokenizer() {
  const { query } = useApi();
  return useQuery(query.tokenizer.get.queryOptions());
}

/** Sets the tokenizer file; texts on screen are made anew. */
export function useSetTokenizer() {
  const { query } = useApi();
  const cache = useQueryClient();
  return useMutation(
    query.tokenizer.set.mutationOptions({
      onSuccess: async (state) => {
        cache.setQueryData(query.tokenizer.get.queryKey(), state);
        await cache.invalidateQueries({ queryKey: query.rollouts.text.key() });
      },
    }),
  );
}
