// The tokenizer file of the workspace: with it token ids of every log become text.

import { type FormEvent, useState } from 'react';
import { explain } from '../../data/rollout.ts';
import { useSetTokenizer, useTokenizer } from '../../data/tokens.ts';
import { useHello } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';

/** The setting. */
export function TokenizerSetting() {
  const hello = useHello();
  const state = useTokenizer().data;
  const save = useSetTokenizer();
  const [draft, setDraft] = useState<string | null>(null);
  const path = draft ?? state?.path ?? '';
  const changed = draft !== null && draft.trim() !== (state?.path ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!changed) return;
    const wanted = path.trim();
    save.mutate({ path: wanted === '' ? null : wanted }, { onSuccess: () => setDraft(null) });
  };
  const failure = save.isError ? explain(save.error) : null;
  return (
    <form className="setting" onSubmit={submit}>
      <div>
        <h2>
          <label htmlFor="tokenizer">Tokenizer</label>
        </h2>
        <p className="muted">
          Path of a <code>tokenizer.json</code> on the machine of the engine: token ids show as text. A file of that
          name beside a log is used for it by itself. Empty for none.
        </p>
        {state !== undefined && state.path !== null && state.problem === null && (
          <p className="muted">
            In use: {state.model}, {formatCount(state.vocabulary)} tokens.
          </p>
        )}
        {failure === null && state?.problem != null && <p className="field-error">{state.problem}</p>}
        {failure !== null && (
          <p className="field-error" role="alert">
            {failure.message} {failure.hint}
          </p>
        )}
      </div>
      <div className="setting-control">
        <input
          id="tokenizer"
          className="field"
          maxLength={4096}
          autoComplete="off"
          spellCheck={false}
          placeholder="/models/…/tokenizer.json"
          disabled={hello?.capabilities.readOnly ?? true}
          value={path}
          onChange={(event) => setDraft(event.target.value)}
        />
        <Button type="submit" disabled={!changed || save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
