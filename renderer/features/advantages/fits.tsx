// The settings that come nearest over the whole dump.

import type { ReactNode } from 'react';
import type { FitCount } from '../../../app/contract/index.ts';
import { formatDifference } from '../../data/trainer-check.ts';
import { formatCount, formatPercent } from '../../ui/format.ts';

/** The table; `compared` is the number of rollouts that were compared. */
export function Fits({ fits, compared }: { readonly fits: readonly FitCount[]; readonly compared: number }): ReactNode {
  if (fits.length === 0) return null;
  return (
    <>
      <h2 className="section-title">Nearest settings</h2>
      <table className="adv-fits">
        <caption className="visually-hidden">Settings by how many rollouts they reproduce token by token</caption>
        <thead>
          <tr>
            <th scope="col">setting</th>
            <th scope="col" className="number" title={`Rollouts that it reproduces, of ${formatCount(compared)}`}>
              exact
            </th>
            <th scope="col" className="number" title="Tokens that agree, where it is among the nearest">
              agree
            </th>
            <th scope="col" className="number" title="Largest |logged − recomputed| / |recomputed|">
              worst
            </th>
          </tr>
        </thead>
        <tbody>
          {fits.map((fit) => (
            <tr key={`${fit.label} ${fit.presets.join()}`}>
              <th scope="row">
                {fit.presets.length > 0 && <b>{fit.presets.join(', ')}</b>}
                <span className={fit.presets.length > 0 ? 'faint' : undefined}>{fit.label}</span>
              </th>
              <td className="number">{formatCount(fit.reproduces)}</td>
              <td className="number">{formatShare(fit.agreeing)}</td>
              <td className="number">{formatDifference(fit.worst)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A share that is 100 % only when it is. */
function formatShare(share: number): string {
  return share < 1 && share > 0.999 ? '> 99.9 %' : formatPercent(share, share === 1 ? 0 : 1);
}
