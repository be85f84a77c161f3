// What the strip can show of a rollout: stored columns, the shown run, and what the engine derives from them; each with its scale.

import { type SegmentRow, type WhatIfNormaliser, whatIfNormalisers } from '../../../app/contract/index.ts';
import type { HeatScale } from '../../ui/axis/heat.ts';
import { columnTitle } from './format.ts';
import type { Shown } from './screen-context.ts';

/** A column of the strip. */
export interface StripColumn {
  /** Its name in the URL: it stays the same when another run is shown. */
  readonly key: string;
  /** Its name in the contract. */
  readonly column: string;
  readonly title: string;
  /** A few words under the title: what the number is. */
  readonly note: string;
  readonly group: StripGroup;
  readonly scale: HeatScale;
  /** Two columns with the same unit share a scale when they stand under each other. */
  readonly unit: string;
}

export const stripGroups = [
  'Advantage',
  'Critic',
  'Log-probabilities',
  'Ratios and masks',
  'Weights',
  'Other',
] as const;
type StripGroup = (typeof stripGroups)[number];

const aroundZero: HeatScale = { kind: 'diverging', centre: 0, log: false };
const aroundOne: HeatScale = { kind: 'diverging', centre: 1, log: true };
const rising: HeatScale = { kind: 'sequential', falling: false };
const falling: HeatScale = { kind: 'sequential', falling: true };

/** Columns that are named apart or that no colour can say anything about. */
const apart = new Set(['ids', 'advantages', 'returns', 'values', 'entropy', 'kl', 'loss_mask', 'sampled_mask']);

/** The columns that there are for these segments and this choice of advantages. */
export function stripColumns(segments: readonly SegmentRow[], shown: Shown): StripColumn[] {
  const stored = new Set(segments.flatMap((segment) => segment.columns));
  const run = shown.kind === 'run' && shown.run.result.error === undefined ? shown.run : null;
  const has = (...names: string[]) => names.some((name) => stored.has(name));
  const columns: StripColumn[] = [];
  const add = (when: boolean, group: StripGroup, key: string, title: string, note: string, rest: Rest) => {
    if (when)
      columns.push({ key, column: rest.column ?? key, title, note, group, scale: rest.scale, unit: rest.unit ?? key });
  };

  const weighs = run !== null && run.estimator === 'token_weights';
  add(run !== null && has('advantages'), 'Advantage', 'diff', 'difference', 'logged − recomputed', {
    column: `diff:${run?.id}`,
    scale: aroundZero,
    unit: 'advantage',
  });
  add(has('advantages'), 'Advantage', 'advantages', columnTitle('advantages'), 'what the trainer used', {
    scale: aroundZero,
    unit: 'advantage',
  });
  add(
    run !== null,
    'Advantage',
    'run',
    weighs ? 'recomputed weight' : 'recomputed advantage',
    'of the run shown above',
    {
      column: `run:${run?.id}`,
      scale: weighs ? rising : aroundZero,
      unit: 'advantage',
    },
  );
  add(has('returns'), 'Advantage', 'returns', columnTitle('returns'), 'the targets of the critic', {
    scale: aroundZero,
    unit: 'value',
  });

  add(has('values'), 'Critic', 'values', columnTitle('values'), 'V before each token', {
    scale: rising,
    unit: 'value',
  });
  const stoodIn = run !== null && run.critic.kind !== 'logged' && run.critic.kind !== 'none';
  add(has('values') || stoodIn, 'Critic', 'td', 'TD residual', 'δ = r + γ·V′ − V within a segment', {
    column: `td:${run?.id ?? ''}`,
    scale: aroundZero,
    unit: 'td',
  });

  for (const name of [...stored].filter((one) => one.startsWith('logprobs.')).toSorted()) {
    add(true, 'Log-probabilities', name, columnTitle(name), 'lower is more surprising', {
      scale: falling,
      unit: 'logprob',
    });
  }
  add(has('entropy'), 'Log-probabilities', 'entropy', columnTitle('entropy'), 'of the distribution at the token', {
    scale: rising,
  });
  add(has('kl'), 'Log-probabilities', 'kl', 'KL, logged', 'as the trainer has it', { scale: rising, unit: 'kl' });
  const trained = has('logprobs.train', 'logprobs.old');
  for (const [kind, note] of klNotes) {
    const scale = kind === 'k1' ? aroundZero : rising;
    const name = `kl:${kind}`;
    add(trained && has('logprobs.ref'), 'Log-probabilities', name, `KL ${kind}`, note, { scale, unit: 'kl' });
  }

  const mismatch = trained && has('logprobs.rollout');
  const ratios = 'Ratios and masks';
  add(mismatch, ratios, 'ratio', 'ratio', 'π trainer / π engine, colours by its logarithm', {
    column: 'ratio:dis',
    scale: aroundOne,
  });
  add(mismatch, ratios, 'fate:dis', 'DIS fate', 'kept where 0.7 < ratio < 6', {
    scale: { kind: 'fate' },
    unit: 'fate',
  });
  add(mismatch, ratios, 'fate:icepop', 'IcePop fate', 'kept where ½ ≤ ratio ≤ 2', {
    scale: { kind: 'fate' },
    unit: 'fate',
  });
  for (const name of ['loss_mask', 'sampled_mask']) {
    add(has(name), ratios, name, columnTitle(name), name === 'loss_mask' ? 'inside the loss' : 'by the policy', {
      scale: { kind: 'mask' },
      unit: 'mask',
    });
  }

  const masked = has('loss_mask', 'sampled_mask');
  add(
    masked && (run !== null || has('advantages')),
    'Weights',
    'signal',
    '|w × A|',
    'share of the update, token mean',
    {
      column: `signal:${run?.id ?? 'logged'}`,
      scale: rising,
    },
  );
  for (const normaliser of whatIfNormalisers) {
    add(
      masked,
      'Weights',
      `weight:${normaliser}`,
      `weight, ${normaliser.replaceAll('_', ' ')}`,
      weightNotes[normaliser],
      {
        scale: rising,
        unit: 'weight',
      },
    );
  }

  for (const name of [...stored].toSorted()) {
    if (apart.has(name) || name.startsWith('logprobs.')) continue;
    add(true, 'Other', name, columnTitle(name), 'as the log has it', {
      scale: name === 'rewards' ? aroundZero : rising,
    });
  }
  return columns;
}

interface Rest {
  readonly column?: string;
  readonly scale: HeatScale;
  readonly unit?: string;
}

const klNotes = [
  ['k1', 'd, d = log π − log π ref'],
  ['k2', 'd² / 2'],
  ['k3', 'exp(−d) − 1 + d'],
] as const;

const weightNotes: Readonly<Record<WhatIfNormaliser, string>> = {
  token_mean: 'every token of the step alike',
  segment_mean: 'every segment alike',
  segment_sum_mean: 'a sum per segment',
  rollout_mean: 'every rollout alike',
  constant_length: 'a constant length',
};

/** What is shown when nobody has chosen: the most telling column that there is. */
const firstChoices = ['diff', 'values', 'logprobs.rollout', 'entropy', 'kl'];

/** The column with a key; for none or an unknown one the most telling; null when there is nothing to show. */
export function chosenColumn(columns: readonly StripColumn[], key: string | null): StripColumn | null {
  const byKey = (wanted: string) => columns.find((one) => one.key === wanted);
  const chosen = key === null ? undefined : byKey(key);
  if (chosen !== undefined) return chosen;
  for (const first of firstChoices) {
    const found = byKey(first);
    if (found !== undefined) return found;
  }
  return columns.find((one) => one.group === 'Other') ?? columns[0] ?? null;
}
