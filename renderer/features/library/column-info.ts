// What each column of the rollout list is called, what kind of value it holds and how it is written in a chip.

import { type RolloutColumn, rolloutColumns } from '../../../app/contract/index.ts';

export interface ColumnInfo {
  readonly title: string;
  readonly type: 'text' | 'number' | 'choice' | 'flag';
  /** One line for the filter menu. */
  readonly help: string;
}

export const columnInfo: Record<RolloutColumn, ColumnInfo> = {
  id: { title: 'Rollout', type: 'text', help: 'stable id' },
  externalId: { title: 'Log id', type: 'text', help: "the log's own id" },
  source: { title: 'Source', type: 'text', help: 'path of the file' },
  format: { title: 'Format', type: 'choice', help: 'log format' },
  runId: { title: 'Run', type: 'choice', help: 'training run' },
  task: { title: 'Task', type: 'choice', help: 'task of the rollout' },
  group: { title: 'Group', type: 'choice', help: 'rollouts that share a baseline' },
  trainingStep: { title: 'Training step', type: 'number', help: 'step of the trainer' },
  model: { title: 'Model', type: 'choice', help: 'policy' },
  agent: { title: 'Agent', type: 'choice', help: 'harness' },
  split: { title: 'Split', type: 'choice', help: 'train, eval…' },
  attempt: { title: 'Attempt', type: 'number', help: 'number of the attempt' },
  status: { title: 'Status', type: 'choice', help: 'how it ended' },
  reward: { title: 'Reward', type: 'number', help: 'as the trainer used it' },
  segments: { title: 'Segments', type: 'number', help: 'execution and summary segments' },
  executionSegments: { title: 'Execution segments', type: 'number', help: 'K of the execution kind' },
  summarySegments: { title: 'Summary segments', type: 'number', help: 'K of the summary kind' },
  compactions: { title: 'Compactions', type: 'number', help: 'context rewrites' },
  steps: { title: 'Steps', type: 'number', help: 'model calls' },
  tokens: { title: 'Tokens', type: 'number', help: 'of all segments' },
  trainableTokens: { title: 'Trainable tokens', type: 'number', help: 'inside the loss mask' },
  markers: { title: 'Markers', type: 'number', help: 'suspected spans' },
  topKind: { title: 'Top kind', type: 'choice', help: 'kind of the strongest marker' },
  kind: { title: 'Kind', type: 'choice', help: 'kind of any marker' },
  rule: { title: 'Rule', type: 'choice', help: 'rule of any marker' },
  attempted: { title: 'Attempted', type: 'flag', help: 'any strong marker: it was tried' },
  succeeded: { title: 'Succeeded', type: 'flag', help: 'any strong marker: it worked' },
  used: { title: 'Used', type: 'flag', help: 'any strong marker: it reached the answer' },
  standing: { title: 'Standing', type: 'flag', help: 'any strong marker: it was in force at the end' },
  score: { title: 'Suspicion', type: 'number', help: '0 to 1, from the rule pack' },
  marked: { title: 'Marked', type: 'flag', help: 'at or above the threshold' },
  maxAbsAdvantage: { title: 'Max |A|', type: 'number', help: 'of the newest estimator run' },
  label: { title: 'Label', type: 'choice', help: 'hack, clean, unsure, disputed' },
  labels: { title: 'Labels', type: 'number', help: 'how many people labelled it' },
  alerts: { title: 'Alerts', type: 'number', help: 'from the import' },
  preview: { title: 'Preview', type: 'text', help: 'first lines of the task' },
};

/** All columns, those people filter by most first. */
export const columnsByUse: readonly RolloutColumn[] = [
  ...([
    'label',
    'score',
    'kind',
    'rule',
    'reward',
    'status',
    'segments',
    'task',
    'group',
    'trainingStep',
    'steps',
    'tokens',
    'maxAbsAdvantage',
    'compactions',
    'markers',
    'marked',
    'standing',
  ] as const),
  ...rolloutColumns,
].filter((column, index, all) => all.indexOf(column) === index);

const known = new Map<string, RolloutColumn>(rolloutColumns.map((column) => [column, column]));

/** The column of a name; undefined for other words. */
export function columnOf(name: string): RolloutColumn | undefined {
  return known.get(name);
}
