// Agreement between annotators: the figures, and the labelled things behind them page by page.

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AgreementSelection, AgreementTarget } from '../../app/contract/index.ts';
import { useApi } from './api.ts';

const pageSize = 100;

/** The report on labels on targets of one type; keeps the old one while a newer is computed. */
export function useAgreementReport(target: AgreementTarget) {
  const { query } = useApi();
  return useQuery(query.agreement.report.queryOptions({ input: { target }, placeholderData: keepPreviousData }));
}

/** The units of a selection, the strongest disagreement first; `fetchNextPage` brings more of them. */
export function useAgreementUnits(target: AgreementTarget, select: AgreementSelection) {
  const { query } = useApi();
  return useInfiniteQuery(
    query.agreement.units.infiniteOptions({
      input: (start: number) => ({ target, select, start, count: pageSize }),
      initialPageParam: 0,
      getNextPageParam: ({ start, units, total }) =>
        start + units.length < total && units.length > 0 ? start + units.length : undefined,
    }),
  );
}
