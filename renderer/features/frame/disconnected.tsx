// What stands when the engine is not reachable: retrying, or not allowed.

import { useEffect, useState } from 'react';
import { type ConnectionState, useApi } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** The bar above a screen while the connection is lost. Nothing on screen is thrown away. */
export function Disconnected({ state }: { readonly state: Extract<ConnectionState, { status: 'lost' }> }) {
  const { connection } = useApi();
  const seconds = useSecondsUntil(state.retryAt);
  return (
    <div className="disconnected" role="alert">
      <span>
        {connection.desktop !== null
          ? 'The engine stopped. It is being started again; what you see is as it was before.'
          : `Disconnected from the host${seconds === null ? '' : seconds > 0 ? ` — retrying in ${seconds} s` : ' — retrying'}. What you see is as it was before; nothing saved is lost.`}
      </span>
      {connection.desktop === null && <Button onClick={connection.retry}>Retry now</Button>}
    </div>
  );
}

function useSecondsUntil(time: number | null): number | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return time === null ? null : Math.max(0, Math.ceil((time - now) / 1000));
}

/** The page of an address without a valid token. */
export function Denied({ message }: { readonly message: string }) {
  return (
    <main className="denied">
      <EmptyState icon="warning" title="This page needs the address with its token">
        <p>{message}</p>
        <p className="denied-more">
          Use the whole address that <code className="mono">rollscope serve</code> printed when it started, including
          the part after <code className="mono">#</code>. If the host was restarted, it printed a new one.
        </p>
      </EmptyState>
    </main>
  );
}
