// What can be saved as a file: each kind in a sentence with its button, and below what was written, with its count and hash.

import { useState } from 'react';
import { Button } from './button.tsx';
import { formatBytes, plural } from './format.ts';
import { Spinner } from './states.tsx';
import './save-choices.css';

/** A file that was handed to the person. */
export interface SavedFile {
  readonly name: string;
  readonly rows: number;
  readonly masked: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Choice<K extends string> {
  readonly kind: K;
  readonly title: string;
  readonly what: string;
  /** What its rows are, for one. */
  readonly row: string;
}

/** The choices; `save` writes one and then calls `done`. */
export function SaveChoices<K extends string>(props: {
  readonly choices: readonly Choice<K>[];
  /** The kind that is being written. */
  readonly writing: K | null;
  readonly error: { readonly message: string; readonly hint: string | null } | null;
  readonly save: (kind: K, done: (file: SavedFile) => void) => void;
}) {
  const { choices, writing, error, save } = props;
  const [saved, setSaved] = useState<readonly { readonly file: SavedFile; readonly row: string }[]>([]);
  return (
    <div className="dialog-body save-choices">
      <ul>
        {choices.map(({ kind, title, what, row }) => (
          <li key={kind}>
            <div>
              <b>{title}</b>
              <p className="muted">{what}</p>
            </div>
            <Button
              disabled={writing !== null}
              aria-label={`Save ${title}`}
              onClick={() => save(kind, (file) => setSaved((before) => [{ file, row }, ...before]))}
            >
              {writing === kind ? <Spinner label="Writing" /> : 'Save'}
            </Button>
          </li>
        ))}
      </ul>
      {error !== null && (
        <p className="field-error" role="alert">
          {error.message} {error.hint}
        </p>
      )}
      <div role="status">
        {saved.map(({ file, row }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its head and its entries have no state
          <dl className="facts" key={saved.length - at}>
            <dt>{file.name}</dt>
            <dd>
              {plural(file.rows, row)}, {formatBytes(file.bytes)}
              {file.masked > 0 && `, ${plural(file.masked, 'credential')} masked`}
            </dd>
            <dt>sha256</dt>
            <dd className="mono save-hash">{file.sha256}</dd>
          </dl>
        ))}
      </div>
    </div>
  );
}
