// The limits of the importer in force, each with what it is for and the flag that raises it.

import { useHello } from '../../data/workspace.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';

/** The table; empty until the engine has said what the limits are. */
export function Limits() {
  const hello = useHello();
  return (
    <section className="about" aria-labelledby="setting-limits">
      <h2 id="setting-limits">Limits of the importer</h2>
      <p className="muted limits-lead">
        A file that hits a limit says which in its report. Raise it for a file that you trust, with the flag, which
        import, open, start and serve have. Lists may have any length; a reply of the engine carries at most 200 rows.
      </p>
      <table className="limits">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className="number">
              Value
            </th>
            <th scope="col" className="number">
              Default
            </th>
            <th scope="col">Flag</th>
          </tr>
        </thead>
        <tbody>
          {(hello?.limits ?? []).map((limit) => (
            <tr key={limit.name}>
              <td>
                {limit.meaning}
                <span className="mono muted limit-name">{limit.name}</span>
              </td>
              <td className={`number${limit.value === limit.default ? '' : ' strong'}`}>
                {amount(limit.value, limit.unit)}
              </td>
              <td className="number muted">{amount(limit.default, limit.unit)}</td>
              <td className="mono">{limit.flag}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function amount(value: number, unit: 'bytes' | 'count'): string {
  return unit === 'bytes' ? formatBytes(value) : formatCount(value);
}
