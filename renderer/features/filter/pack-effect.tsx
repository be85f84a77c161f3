// What an edited pack would change: problems by line, examples that fail, rules that differ, and the rollouts that gain or lose
// their mark.

import type { ReactNode } from 'react';
import type { PackEffect } from '../../../app/contract/index.ts';
import type { PackTrial } from '../../data/tuning.ts';
import { formatRoute } from '../../routes.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatCount, formatNumber, plural } from '../../ui/format.ts';
import { Progress } from '../../ui/states.tsx';

/** The panel beside the editor. `onLine` brings a line of the text into view. */
export function PackEffectPanel(props: { readonly trial: PackTrial; readonly onLine: (line: number) => void }) {
  const { trial } = props;
  return (
    <section className="effect" aria-label="Effect of the edit">
      {trial.status === 'wrong' && <Problems problems={trial.problems} onLine={props.onLine} />}
      {(trial.status === 'running' || trial.status === 'tried') && (
        <>
          {trial.failures.length > 0 && <Failures failures={trial.failures} />}
          {trial.effect !== null && <Effect effect={trial.effect} />}
        </>
      )}
      {(trial.status === 'same' || trial.status === 'checking') && (
        <p className="muted">
          Rules that an edit touches are run on every scanned rollout while you type. Here you see which rollouts would
          gain or lose their mark, and what each rule finds.
        </p>
      )}
      {trial.status === 'failed' && <p className="field-error">{trial.message}</p>}
    </section>
  );
}

function Problems(props: {
  readonly problems: readonly { readonly line: number | null; readonly message: string }[];
  readonly onLine: (line: number) => void;
}) {
  return (
    <>
      <h2 className="section-title">
        Problems<span className="aside">{props.problems.length}</span>
      </h2>
      <ul className="effect-list">
        {props.problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            {line === null ? (
              <span className="field-error">{message}</span>
            ) : (
              <button type="button" className="effect-problem" onClick={() => props.onLine(line)}>
                <span className="mono">line {line}</span> <span className="field-error">{message}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Failures(props: {
  readonly failures: readonly { readonly rule: string; readonly example: string; readonly expected: string }[];
}) {
  return (
    <>
      <h2 className="section-title">
        Examples that fail<span className="aside">{props.failures.length}</span>
      </h2>
      <ul className="effect-list">
        {props.failures.map(({ rule, example, expected }) => (
          <li key={`${rule} ${example}`}>
            <span className="mono strong">{rule}</span>{' '}
            <span className="field-error">
              {expected === 'match' ? 'must match and does not' : 'must not match and does'}
            </span>
            <pre className="effect-example">{example}</pre>
          </li>
        ))}
      </ul>
    </>
  );
}

function Effect({ effect }: { readonly effect: PackEffect }): ReactNode {
  const { gained, lost, moved, rules, threshold, done, total, unscanned, timedOut, finished } = effect;
  return (
    <>
      <div className="effect-progress">
        {finished ? (
          <span className="muted">Tried on {plural(total - unscanned, 'rollout')}.</span>
        ) : (
          <>
            <Progress value={total === 0 ? 1 : done / total} label="Trying the edited pack" />
            <span className="muted">
              {formatCount(done)} of {formatCount(total)}
            </span>
          </>
        )}
      </div>
      <p className="effect-sum">
        <b className="effect-gained">+{formatCount(gained.count)}</b> marked,{' '}
        <b className="effect-lost">−{formatCount(lost.count)}</b> no longer; {plural(moved, 'score')} otherwise moved.
        {threshold.before !== threshold.after &&
          ` Threshold ${formatNumber(threshold.before)} → ${formatNumber(threshold.after)}.`}
      </p>
      {unscanned > 0 && <p className="faint">{plural(unscanned, 'rollout')} left out: not scanned yet.</p>}
      {timedOut.map(({ rule, deadlineMs }) => (
        <p key={rule} className="field-error">
          Rule {rule} did not come back within {formatCount(deadlineMs)} ms and was stopped.
        </p>
      ))}
      <h2 className="section-title">
        Rules that differ<span className="aside">{rules.length}</span>
      </h2>
      {rules.length === 0 ? (
        <p className="muted">None: only words or the threshold changed.</p>
      ) : (
        <RulesTable rules={rules} />
      )}
      <Rollouts title="Gain their mark" list={gained} />
      <Rollouts title="Lose their mark" list={lost} />
    </>
  );
}

function RulesTable({ rules }: { readonly rules: PackEffect['rules'] }) {
  return (
    <table className="effect-rules">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Rollouts</th>
          <th scope="col">Labelled now</th>
        </tr>
      </thead>
      <tbody>
        {rules.map(({ rule, change, before, after, hack, clean }) => (
          <tr key={rule}>
            <th scope="row">
              <span className="mono">{rule}</span> <span className="faint">{change}</span>
            </th>
            <td>
              {formatCount(before)} → <b>{formatCount(after)}</b>
            </td>
            <td>
              <span className="hits-hack">{formatCount(hack)} hack</span>{' '}
              <span className="hits-clean">{formatCount(clean)} clean</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Rollouts({ title, list }: { readonly title: string; readonly list: PackEffect['gained'] }) {
  if (list.count === 0) return null;
  return (
    <>
      <h2 className="section-title">
        {title}
        <span className="aside">
          {list.rollouts.length < list.count ? `first ${list.rollouts.length} of ` : ''}
          {formatCount(list.count)}
        </span>
      </h2>
      <ul className="effect-list">
        {list.rollouts.map(({ id, before, after, gained, lost, label }) => (
          <li key={id}>
            <a className="effect-rollout" href={formatRoute({ screen: 'rollout', id })}>
              <span className="mono">{id}</span>
              <span className="muted">
                {formatNumber(before)} → {formatNumber(after)}
              </span>
              <span className="faint ellipsis">
                {[...gained.map((rule) => `+${rule}`), ...lost.map((rule) => `−${rule}`)].join(' ')}
              </span>
              {label !== null && <Chip tone={verdictTone(label)}>{label}</Chip>}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
