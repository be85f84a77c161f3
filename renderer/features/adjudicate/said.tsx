// What one annotator said: verdict, kinds, the five answers, confidence, note, and what had been on the screen.

import type { CurrentLabel } from '../../../app/contract/index.ts';
import { labelFieldNames } from '../../../app/contract/index.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatMoment, formatPercent } from '../../ui/format.ts';
import { answerText, fieldTitles, seenText } from './words.ts';

/** The card; its bar has the colour and pattern of the annotator's spans. */
export function Said({ label, tone }: { readonly label: CurrentLabel; readonly tone: number }) {
  const { annotator, verdict, kinds, fields, confidence, note, at } = label;
  return (
    <article className="said" aria-label={`${annotator} says ${verdict}`}>
      <header>
        <span className={`said-tone said-tone-${tone}`} aria-hidden="true" />
        <b className="ellipsis" title={annotator}>
          {annotator}
        </b>
        <Chip tone={verdictTone(verdict)}>{verdict}</Chip>
        {confidence !== null && <span className="muted">{formatPercent(confidence, 0)} sure</span>}
      </header>
      <p className="said-kinds">
        {kinds.length === 0 ? (
          <span className="faint">no kind named</span>
        ) : (
          kinds.map((kind) => <Chip key={kind}>{kind}</Chip>)
        )}
      </p>
      <dl className="said-fields">
        {labelFieldNames.map((field) => (
          <div key={field}>
            <dt>{fieldTitles[field]}</dt>
            <dd className={fields[field] === null ? 'faint' : 'strong'}>{answerText(fields[field])}</dd>
          </div>
        ))}
      </dl>
      {note !== '' && <p className="said-note">{note}</p>}
      <p className="faint said-seen">
        {seenText(label)}
        <br />
        {formatMoment(at)}
        {label.schemaId !== null && ` · ${label.schemaId} ${label.schemaVersion ?? ''}`}
      </p>
    </article>
  );
}
