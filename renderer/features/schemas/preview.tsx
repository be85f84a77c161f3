// What annotators will have before them: the verdicts, kinds and questions of a schema with their keys; and what is wrong with it.

import type { LabelSchema, SchemaProblem } from '../../../app/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { plural } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';

/** Problems with their lines; a line is a way there. */
export function Problems(props: {
  readonly problems: readonly SchemaProblem[];
  readonly onLine: (line: number) => void;
}) {
  const { problems, onLine } = props;
  return (
    <section aria-label="Problems" aria-live="polite">
      <h2 className="section-title">
        Problems<span className="aside">{problems.length === 0 ? 'none' : plural(problems.length, 'problem')}</span>
      </h2>
      {problems.length === 0 ? (
        <p className="muted">Nothing is wrong with it.</p>
      ) : (
        <ul className="schema-problems">
          {problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              {line === null ? (
                <span className="faint">file</span>
              ) : (
                <Button variant="quiet" onClick={() => onLine(line)} aria-label={`Go to line ${line}`}>
                  line {line}
                </Button>
              )}
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The keys of the review, by what they answer. */
export function Preview({ schema }: { readonly schema: LabelSchema }) {
  const groups = [...Map.groupBy(schema.kinds, ({ group }) => group)];
  return (
    <section aria-label="Keys of the review">
      <h2 className="section-title">
        Keys<span className="aside">as annotators will have them</span>
      </h2>
      <p className="strong">{schema.title}</p>
      {schema.description !== '' && <p className="muted">{schema.description}</p>}
      <dl className="schema-keys">
        {schema.verdicts.map(({ verdict, title, key }) => (
          <Row key={verdict} hotkey={key}>
            <Chip tone={verdictTone(verdict)}>{title}</Chip>
            <Needs of={schema.required[verdict] ?? []} />
          </Row>
        ))}
      </dl>
      {schema.fields.length > 0 && (
        <>
          <h3>Questions</h3>
          <dl className="schema-keys">
            {schema.fields.map(({ field, title, question, key }) => (
              <Row key={field} hotkey={key}>
                {title} {question !== '' && <span className="muted">{question}</span>}
              </Row>
            ))}
          </dl>
        </>
      )}
      {groups.map(([group, kinds]) => (
        <div key={group}>
          <h3>{group === '' ? 'Kinds' : group}</h3>
          <dl className="schema-keys">
            {kinds.map(({ kind, title, key }) => (
              <Row key={kind} hotkey={key}>
                {title} <span className="mono faint">{kind}</span>
              </Row>
            ))}
          </dl>
        </div>
      ))}
      <p className="muted schema-more">
        {schema.confidence ? 'Confidence is asked (+ and −).' : 'Confidence is not asked.'}{' '}
        {schema.note ? 'A note may be written (e).' : 'No note is asked.'}
      </p>
    </section>
  );
}

function Needs({ of }: { readonly of: readonly string[] }) {
  return of.length === 0 ? null : <span className="muted">needs {of.join(', ')}</span>;
}

function Row({ hotkey, children }: { readonly hotkey: string | null; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>
        {hotkey === null ? <span className="faint">list</span> : <Kbd name={hotkey} />}
        {hotkey !== null && <span className="visually-hidden">{hotkey}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
