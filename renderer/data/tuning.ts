// The rule pack in force and its figures against people's labels.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** The pack in force, with its YAML. */
export function usePack() {
  const { query } = useApi();
  return useQuery(query.scan.pack.queryOptions());
}

/** Precision, recall and flips at a threshold (the pack's own when undefined); keeps the old figures while asking. */
export function useTuneReport(threshold: number | undefined) {
  const { query } = useApi();
  return useQuery(
    query.tuning.evaluate.queryOptions({
      input: threshold === undefined ? {} : { threshold },
      placeholderData: keepPreviousData,
    }),
  );
}
