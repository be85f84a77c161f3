// Labelling, undo and redo. A label is on disk before the screen shows it: nothing here is optimistic.

import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Contract, UndoState } from '../../app/contract/index.ts';
import { messageOf } from '../../app/shared/errors.ts';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';

/** A label to write; kinds, note and confidence may be left out. */
export type LabelWish = InferContractRouterInputs<Contract>['labels']['label'];
type LabelResult = InferContractRouterOutputs<Contract>['labels']['label'];

const nothing: UndoState = { undo: null, redo: null, savedAt: null };

/** What `u` and `U` would do, and when the last label was saved. */
export function useUndoState(): UndoState {
  const { query } = useApi();
  return useQuery(query.labels.state.queryOptions()).data ?? nothing;
}

/** Writes labels. Screens refresh through `labels.changes` (data/live.ts); errors are told as toasts. */
export function useLabelling(): {
  readonly label: (input: LabelWish) => Promise<LabelResult | null>;
  readonly undo: () => Promise<void>;
  readonly redo: () => Promise<void>;
  readonly saving: boolean;
} {
  const { client, query } = useApi();
  const cache = useQueryClient();
  const act = useMutation({
    mutationFn: (run: () => Promise<LabelResult>) => run(),
    onSuccess: (result) => cache.setQueryData(query.labels.state.queryKey(), result.undo),
    onError: (error) => {
      toast({ title: 'The label was not saved', description: messageOf(error), tone: 'error' });
    },
  });
  const run = async (call: () => Promise<LabelResult>): Promise<LabelResult | null> => {
    try {
      return await act.mutateAsync(call);
    } catch {
      // Told by onError above.
      return null;
    }
  };
  const step = async (call: () => Promise<LabelResult>, empty: string): Promise<void> => {
    const result = await run(call);
    if (result !== null && result.act === null) toast({ title: empty });
  };
  return {
    label: (input) => run(() => client.labels.label(input)),
    undo: () => step(() => client.labels.undo(), 'There is nothing to undo'),
    redo: () => step(() => client.labels.redo(), 'There is nothing to redo'),
    saving: act.isPending,
  };
}
