// The versions of label schemas, newest first: which one is in force, who made which, and which is compared.

import type { InferContractRouterOutputs } from '@orpc/contract';
import type { Contract } from '../../../app/contract/index.ts';
import { formatRoute, type SchemasRoute } from '../../routes.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatMoment } from '../../ui/format.ts';

export type Version = InferContractRouterOutputs<Contract>['schemas']['list'][number];

/** A version as the address names it. */
export function versionName({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}

/** The list; each entry is a link. */
export function Versions(props: {
  readonly versions: readonly Version[];
  readonly shown: string;
  readonly route: SchemasRoute;
}) {
  const { versions, shown, route } = props;
  return (
    <nav className="schema-versions" aria-label="Versions">
      <h2 className="section-title">
        Versions<span className="aside">{versions.length}</span>
      </h2>
      <ul>
        {versions.map((version) => {
          const name = versionName(version);
          return (
            <li key={name}>
              <a
                href={formatRoute({
                  screen: 'schemas',
                  version: name,
                  with: route.with === name ? undefined : route.with,
                })}
                aria-current={name === shown ? 'true' : undefined}
              >
                <span className="schema-version-name">
                  <b className="ellipsis">{version.title}</b>
                  {version.current && <Chip tone="clean">in force</Chip>}
                </span>
                <span className="mono ellipsis">{name}</span>
                <span className="muted ellipsis">
                  {version.createdAt === null
                    ? 'shipped'
                    : `${version.createdBy ?? 'somebody'}, ${formatMoment(version.createdAt)}`}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
      <p className="muted schema-hint">
        A version never changes, for labels refer to it: another text is another version. Queues keep the version they
        were made with.
      </p>
    </nav>
  );
}
