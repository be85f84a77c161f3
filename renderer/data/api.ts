// The one door to the engine for screens: the typed client, its TanStack Query twin and the connection.

import type { RouterUtils } from '@orpc/tanstack-query';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, createElement, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Client, Connection, ConnectionState } from '../client.ts';

export type { Client, ConnectionState } from '../client.ts';

export interface Api {
  readonly client: Client;
  /** `useQuery(query.rollouts.get.queryOptions({ input: { id } }))`. */
  readonly query: RouterUtils<Client>;
  readonly connection: Connection;
}

const ApiContext = createContext<Api | null>(null);

/** The query cache: data stays until something says it changed (jobs, labels, a new connection). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The engine is on this machine or behind a tunnel: what the browser thinks of the internet does not matter.
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // Lost calls are asked again by the invalidation after a reconnect; refusals would only be refused again.
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Gives the tree below the engine behind `connection`. */
export function ApiProvider(props: {
  readonly connection: Connection;
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}): ReactNode {
  const { connection, queryClient, children } = props;
  const api: Api = {
    client: connection.client,
    query: createTanstackQueryUtils(connection.client),
    connection,
  };
  return createElement(
    QueryClientProvider,
    { client: queryClient },
    createElement(ApiContext.Provider, { value: api }, children),
  );
}

/** The engine. Throws outside of `ApiProvider`. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('useApi is used outside of ApiProvider');
  return api;
}

/** How the connection to the engine is. */
export function useConnectionState(): ConnectionState {
  const { connection } = useApi();
  return useSyncExternalStore(connection.subscribe, connection.state);
}
