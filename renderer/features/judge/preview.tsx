// Exactly what a run would send: the request about the first marker word for word, and how much there is in all.

import type { JudgePreview } from '../../../app/contract/index.ts';
import { formatCount, formatNumber, plural } from '../../ui/format.ts';
import { EmptyState, Spinner } from '../../ui/states.tsx';

/** The panel; a spinner until the request is there. */
export function PreviewPanel({ preview }: { readonly preview: JudgePreview | undefined }) {
  if (preview === undefined) {
    return (
      <div className="judge-request">
        <Spinner label="Putting the request together" />
      </div>
    );
  }
  const { example } = preview;
  if (example === null) {
    return (
      <div className="judge-request">
        <EmptyState icon="filter" title="There is no strong marker to judge">
          Import rollouts and run the rule pack: the judge is asked about what it marks.
        </EmptyState>
      </div>
    );
  }
  return (
    <section className="judge-request" aria-labelledby="request-title">
      <h2 id="request-title">What would be sent</h2>
      <p className="muted">
        {plural(preview.requests, 'request')} about {plural(preview.markers - preview.current, 'marker')}
        {preview.current > 0 ? `, ${formatCount(preview.current)} judged already` : ''}; about{' '}
        {formatCount(preview.promptTokens)} prompt tokens
        {preview.cost === null ? '' : `, at most ${formatNumber(preview.cost)} by the prices given`}. Below is the first
        one, word for word; the fence around the data is random each time.{' '}
        {example.maskedCredentials === 0
          ? 'No credential was found in it.'
          : `${plural(example.maskedCredentials, 'credential')} in it masked.`}
      </p>
      <dl className="facts judge-headers">
        <dt>POST</dt>
        <dd className="mono">{preview.url ?? 'no endpoint is set'}</dd>
        {example.headers.map(({ name, value }) => (
          <Header key={name} name={name} value={value} />
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard. */}
      <section className="judge-text" tabIndex={0} aria-label="Body of the request">
        <pre className="mono">{readable(example.body)}</pre>
      </section>
    </section>
  );
}

function Header({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  );
}

/** The body with the line breaks of its strings shown as such; nothing else is changed. */
function readable(body: string): string {
  return body.replaceAll('\\n', '\n');
}
