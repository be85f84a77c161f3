// The intent judge: its state, what it would send, its prompts and what it said; and task contracts.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JudgeChanges } from '../../app/contract/index.ts';
import { messageOf } from '../../app/shared/errors.ts';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';

/** Settings, consent, where the key comes from. */
export function useJudgeState() {
  const { query } = useApi();
  return useQuery(query.judge.state.queryOptions());
}

/** What a run over all strong markers would send with these settings. Sends nothing. */
export function useJudgePreview(settings: JudgeChanges) {
  const { query } = useApi();
  return useQuery(query.judge.preview.queryOptions({ input: { settings }, placeholderData: keepPreviousData }));
}

/** The prompts, newest first. */
export function useJudgePrompts() {
  const { query } = useApi();
  return useQuery(query.judge.prompts.queryOptions());
}

/** The newest judgement of each marker of a rollout. */
export function useJudgements(rollout: string) {
  const { query } = useApi();
  return useQuery(query.judge.of.queryOptions({ input: { rollout } })).data ?? [];
}

/** Changes of the judge's state. Failures are told as toasts. */
export function useJudgeChanges() {
  const { query } = useApi();
  const cache = useQueryClient();
  const done = {
    onSuccess: () => cache.invalidateQueries({ queryKey: query.judge.key() }),
    onError: (error: unknown) => toast({ title: 'That was not saved', description: messageOf(error), tone: 'error' }),
  };
  return {
    settings: useMutation(query.judge.setSettings.mutationOptions(done)),
    key: useMutation(query.judge.setKey.mutationOptions(done)),
    consent: useMutation(query.judge.setConsent.mutationOptions(done)),
    prompt: useMutation(query.judge.savePrompt.mutationOptions(done)),
  };
}

/** What the task of a rollout forbids and grants. */
export function useTaskContract(rollout: string) {
  const { query } = useApi();
  return useQuery(query.taskContracts.get.queryOptions({ input: { rollout } }));
}

/** Edits of the task's contract; the scan that follows refreshes the markers. */
export function useSetTaskContract() {
  const { query } = useApi();
  const cache = useQueryClient();
  return useMutation(
    query.taskContracts.set.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: query.taskContracts.key() }),
      onError: (error) => toast({ title: 'The contract was not saved', description: messageOf(error), tone: 'error' }),
    }),
  );
}
