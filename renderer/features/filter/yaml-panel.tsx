// The text of the pack, read-only, in an editor that is loaded when this panel is first shown.

import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../app/shared/errors.ts';
import type { YamlView } from '../../monaco/yaml-view.ts';
import { Spinner } from '../../ui/states.tsx';

/** The panel; until the editor is there, and if it cannot be loaded, the plain text stands in its place. */
export function YamlPanel({ yaml, label }: { readonly yaml: string; readonly label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<YamlView | null>(null);
  const text = useRef(yaml);
  const [state, setState] = useState<
    { readonly status: 'loading' | 'ready' } | { readonly status: 'failed'; readonly reason: string }
  >({
    status: 'loading',
  });
  useEffect(() => {
    text.current = yaml;
    view.current?.setText(yaml);
  }, [yaml]);
  useEffect(() => {
    let unmounted = false;
    import('../../monaco/yaml-view.ts').then(
      ({ createYamlView }) => {
        if (unmounted || place.current === null) return;
        view.current = createYamlView(place.current, text.current, label);
        setState({ status: 'ready' });
      },
      (error: unknown) => setState({ status: 'failed', reason: messageOf(error) }),
    );
    return () => {
      unmounted = true;
      view.current?.dispose();
      view.current = null;
    };
  }, [label]);
  return (
    <div className="yaml">
      {state.status === 'failed' && <p className="field-error">The editor could not be loaded: {state.reason}</p>}
      {state.status !== 'ready' && <pre className="yaml-plain">{yaml}</pre>}
      {state.status === 'loading' && <Spinner label="Loading the editor" />}
      <div ref={place} className="yaml-editor" hidden={state.status === 'failed'} data-own-keys />
    </div>
  );
}
