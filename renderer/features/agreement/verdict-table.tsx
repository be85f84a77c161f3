// Verdicts against verdicts: rows are what one said, columns what the other did.

import type { ReactNode } from 'react';
import { type Verdict, verdicts } from '../../../app/contract/index.ts';

/** The table of counts; `cell` draws one, given the verdict of its row and of its column. */
export function VerdictTable(props: {
  readonly caption: ReactNode;
  readonly cell: (row: Verdict, column: Verdict) => ReactNode;
}) {
  return (
    <table className="agree-table">
      <caption>{props.caption}</caption>
      <thead>
        <tr>
          <td />
          {verdicts.map((verdict) => (
            <th key={verdict} scope="col">
              {verdict}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {verdicts.map((row) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            {verdicts.map((column) => (
              <td key={column}>{props.cell(row, column)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
