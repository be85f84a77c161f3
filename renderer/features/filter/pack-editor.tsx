// The place of the pack's editor: loaded when it is first shown; until then, and if it cannot be loaded, a plain field.

import { type RefObject, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../app/shared/errors.ts';
import type { YamlEditor, YamlProblem } from '../../monaco/yaml-view.ts';
import { Spinner } from '../../ui/states.tsx';

interface PackEditorProps {
  readonly editorRef: RefObject<YamlEditor | null>;
  readonly text: string;
  readonly label: string;
  readonly readOnly: boolean;
  readonly problems: readonly YamlProblem[];
  readonly onChange: (text: string) => void;
}

/** The editor. */
export function PackEditor(props: PackEditorProps) {
  const { editorRef, text, problems } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [state, setState] = useState<
    { readonly status: 'loading' | 'ready' } | { readonly status: 'failed'; readonly reason: string }
  >({ status: 'loading' });
  useEffect(() => editorRef.current?.setText(text), [editorRef, text]);
  useEffect(() => {
    if (state.status === 'ready') editorRef.current?.setProblems(problems);
  }, [editorRef, problems, state.status]);
  useEffect(() => {
    let unmounted = false;
    import('../../monaco/yaml-view.ts').then(
      ({ createYamlEditor }) => {
        if (unmounted || place.current === null) return;
        const { text: first, label, readOnly } = latest.current;
        editorRef.current = createYamlEditor(place.current, { text: first, label, readOnly }, (next) =>
          latest.current.onChange(next),
        );
        setState({ status: 'ready' });
      },
      (error: unknown) => setState({ status: 'failed', reason: messageOf(error) }),
    );
    return () => {
      unmounted = true;
      editorRef.current?.dispose();
      editorRef.current = null;
    };
  }, [editorRef]);
  return (
    <div className="yaml">
      {state.status === 'failed' && (
        <>
          <p className="field-error">The editor could not be loaded: {state.reason}</p>
          <textarea
            className="field mono yaml-plain"
            aria-label={props.label}
            spellCheck={false}
            readOnly={props.readOnly}
            value={text}
            onChange={(event) => props.onChange(event.target.value)}
          />
        </>
      )}
      {state.status === 'loading' && (
        <>
          <pre className="yaml-plain">{text}</pre>
          <Spinner label="Loading the editor" />
        </>
      )}
      <div ref={place} className="yaml-editor" hidden={state.status === 'failed'} data-own-keys />
    </div>
  );
}
