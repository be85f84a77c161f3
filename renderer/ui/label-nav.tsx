// Links between the screens of people's labels: agreement, adjudication, label schema.

import { formatRoute, type Route } from '../routes.ts';
import './label-nav.css';

const screens = [
  { screen: 'agreement', title: 'Agreement' },
  { screen: 'adjudicate', title: 'Adjudicate' },
  { screen: 'schemas', title: 'Label schema' },
] as const satisfies readonly { readonly screen: Route['screen']; readonly title: string }[];

/** The links; the current one is marked. */
export function LabelNav({ current }: { readonly current: (typeof screens)[number]['screen'] }) {
  return (
    <nav className="label-nav" aria-label="Labels of several people">
      {screens.map(({ screen, title }) => (
        <a key={screen} href={formatRoute({ screen })} aria-current={screen === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
