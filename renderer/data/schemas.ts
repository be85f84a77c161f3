// Label schemas: the versions that are kept, what is wrong with a text, saving and putting in force.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';
import { explain } from './rollout.ts';

/** A text is checked when nothing was typed for so long. */
const checkAfterMs = 200;

/** Every version, newest first, the shipped one last. */
export function useSchemaVersions() {
  const { query } = useApi();
  return useQuery(query.schemas.list.queryOptions());
}

/** The schema in force. */
export function useCurrentSchema() {
  const { query } = useApi();
  return useQuery(query.schemas.current.queryOptions());
}

/** One version with its text; versions never change. Nothing is asked without a name. */
export function useSchemaText(name: { readonly id: string; readonly version: string } | null) {
  const { query } = useApi();
  return useQuery({
    ...query.schemas.get.queryOptions({ input: name ?? { id: '', version: '' } }),
    enabled: name !== null,
  });
}

/** What is wrong with a text, a moment after the last change; the last answer stays meanwhile. `of` is the text it is about. */
export function useSchemaCheck(text: string) {
  const { query } = useApi();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), checkAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  const check = useQuery({
    ...query.schemas.check.queryOptions({ input: { yaml: settled } }),
    enabled: settled !== '',
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return { check: check.data, isCurrent: settled === text && !check.isPlaceholderData && check.data !== undefined };
}

/** The keys of the review screen, which a schema cannot have. */
export function useReservedKeys() {
  const { query } = useApi();
  return useQuery(query.schemas.reservedKeys.queryOptions()).data ?? [];
}

/** Saving and putting in force. Refusals are told as toasts. */
export function useSchemaChanges() {
  const { query } = useApi();
  const cache = useQueryClient();
  const done = (title: string) => ({
    onSuccess: () => cache.invalidateQueries({ queryKey: query.schemas.key() }),
    onError: (error: unknown) => {
      const { message, hint } = explain(error);
      toast({ title, description: hint === null ? message : `${message} ${hint}`, tone: 'error' });
    },
  });
  return {
    save: useMutation(query.schemas.save.mutationOptions(done('The label schema was not saved'))),
    use: useMutation(query.schemas.use.mutationOptions(done('The version was not put in force'))),
  };
}
