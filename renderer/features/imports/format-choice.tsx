// The other formats that fit a file, with why, and importing it again as one of them or by a mapping of its columns.

import { useState } from 'react';
import type { SourceRow } from '../../../app/contract/index.ts';
import { useCandidates } from '../../data/import-files.ts';
import { useFormats, useImporting } from '../../data/imports.ts';
import { useHello } from '../../data/workspace.ts';
import { formatRoute } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { formatPercent } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';

/** The section. Nothing for parts: they follow their main file. */
export function FormatChoice({ file }: { readonly file: SourceRow }) {
  const candidates = useCandidates(file.id);
  const formats = useFormats();
  const hello = useHello();
  const { importPaths } = useImporting();
  const [chosen, setChosen] = useState<string | null>(null);
  if (file.status === 'part' || hello?.capabilities.readOnly !== false) return null;
  const fits = candidates.data?.candidates ?? [];
  const others = fits.filter(({ format }) => format !== file.format);
  const known = new Map(fits.map((candidate) => [candidate.format, candidate]));
  const options = (formats.data ?? [])
    .map(({ id, title }) => {
      const candidate = known.get(id);
      const sure = candidate === undefined ? 'does not look like it' : `${formatPercent(candidate.confidence, 0)} sure`;
      return { value: id, label: title, detail: sure, confidence: candidate?.confidence ?? -1 };
    })
    .toSorted((a, b) => b.confidence - a.confidence);
  const value = chosen ?? others[0]?.format ?? file.format ?? options[0]?.value ?? '';
  if (candidates.data?.missing === true) {
    return <p className="muted file-clean">The file is not there any more: it cannot be imported again.</p>;
  }
  return (
    <section className="format-choice">
      <h2 className="section-title">{others.length === 0 ? 'No other format fits' : 'Also fits'}</h2>
      {others.length > 0 && (
        <ul className="candidates">
          {others.map((candidate) => (
            <li key={candidate.format}>
              <span className="strong">{candidate.title}</span>
              <span className="muted">
                {' '}
                · {formatPercent(candidate.confidence, 0)} sure · {candidate.reason}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="format-acts">
        {file.status === 'interrupted' && (
          <Button variant="primary" onClick={() => void importPaths([file.path])}>
            Go on importing
          </Button>
        )}
        <Button onClick={() => void importPaths([file.path], value)}>Import again as</Button>
        <Select label="Format to import again as" value={value} options={options} onChange={setChosen} />
        <a className="button plain" href={formatRoute({ screen: 'imports', file: file.id, map: 'columns' })}>
          Map columns…
        </a>
      </div>
    </section>
  );
}
