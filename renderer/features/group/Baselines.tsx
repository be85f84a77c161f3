// The baseline of the group by every convention: what the selected rollout is compared with and what comes out.

import type { ReactNode } from 'react';
import type { BoardMember } from '../../../app/contract/index.ts';
import type { ConventionResult } from '../../../app/domain/group/conventions.ts';
import { formatNumber, formatSigned } from '../../ui/format.ts';

/** The table; a click on a convention puts its advantages on the lanes. */
export function Baselines(props: {
  readonly results: readonly ConventionResult[];
  readonly member: BoardMember;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { results, member, chosen } = props;
  return (
    <aside className="gb-baselines" aria-labelledby="gb-baselines">
      <h2 id="gb-baselines" className="section-title">
        Baseline by convention
      </h2>
      <p className="muted ellipsis" title={member.externalId}>
        of {member.externalId}, reward {formatNumber(member.reward)}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Convention</th>
            <th scope="col" className="number">
              Baseline
            </th>
            <th scope="col" className="number">
              Advantage
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map((result) => (
            <tr key={result.id} className={result.id === chosen ? 'on' : undefined}>
              <th scope="row">
                <button
                  type="button"
                  className="gb-convention"
                  aria-pressed={result.id === chosen}
                  title={`${result.formula}\n${result.source}`}
                  onClick={() => props.onChoose(result.id)}
                >
                  {result.title}
                  <small className="faint">{result.formula}</small>
                </button>
              </th>
              {result.refusal !== null ? (
                <td colSpan={2} className="gb-refusal faint">
                  {result.refusal}
                </td>
              ) : (
                <>
                  <td className="number">{formatNumber(result.baselines.get(member.id) ?? null, 3)}</td>
                  <td className="number">{formatSigned(result.advantages.get(member.id) ?? null, 3)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </aside>
  );
}
