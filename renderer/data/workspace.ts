// The workspace and who is at work: version, capabilities, totals, annotator.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Hello } from '../../app/contract/index.ts';
import { useApi } from './api.ts';

/** What the host says about itself; undefined until it answered. */
export function useHello(): Hello | undefined {
  const { query } = useApi();
  return useQuery(query.workspace.hello.queryOptions()).data;
}

/** Names the annotator of the labels that follow. */
export function useSetAnnotator() {
  const { query } = useApi();
  const cache = useQueryClient();
  return useMutation(
    query.workspace.setAnnotator.mutationOptions({
      onSuccess: () =>
        Promise.all([
          cache.invalidateQueries({ queryKey: query.workspace.key() }),
          cache.invalidateQueries({ queryKey: query.annotators.key() }),
          cache.invalidateQueries({ queryKey: query.review.key() }),
          // What `u` would undo is per annotator.
          cache.invalidateQueries({ queryKey: query.labels.key() }),
        ]),
    }),
  );
}
