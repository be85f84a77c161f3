// A name and a value in a list of facts of the inspector.

import type { ReactNode } from 'react';

/** One row of a `dl.facts`. */
export function FactRow({ name, value }: { readonly name: string; readonly value: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
