// Who works on the workspace: the caller, everybody with a profile or a label, and the links of the host.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';
import { explain } from './rollout.ts';

/** Who this connection is; undefined until the engine answered. */
export function useMe() {
  const { query } = useApi();
  return useQuery(query.annotators.me.queryOptions()).data;
}

/** Everyone with a profile or a label, by name. */
export function useAnnotators() {
  const { query } = useApi();
  return useQuery(query.annotators.list.queryOptions());
}

/** The links of the host; asked for only by who may have them. */
export function useLinks(wanted: boolean) {
  const { query } = useApi();
  return useQuery({ ...query.annotators.links.queryOptions(), enabled: wanted });
}

/** Changes of profiles and links. Failures are told as toasts. */
export function useAnnotatorChanges() {
  const { query } = useApi();
  const cache = useQueryClient();
  const done = {
    onSuccess: () => cache.invalidateQueries({ queryKey: query.annotators.key() }),
    onError: (error: unknown) => {
      const { message, hint } = explain(error);
      toast({
        title: 'That was not changed',
        description: hint === null ? message : `${message} ${hint}`,
        tone: 'error',
      });
    },
  };
  return {
    add: useMutation(query.annotators.add.mutationOptions(done)),
    remove: useMutation(query.annotators.remove.mutationOptions(done)),
    link: useMutation(query.annotators.link.mutationOptions(done)),
    revoke: useMutation(query.annotators.revoke.mutationOptions(done)),
  };
}
