// rollscope rollouts: the library as a list.

import type { RolloutRow } from '../../../contract/index.ts';
import { command, exit, numberOption, workspaceOptions } from '../command.ts';
import { parseSort, readRollouts } from '../rows.ts';
import { count, number, oneLine, table } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

export const rolloutsCommand = command({
  name: 'rollouts',
  summary: 'list rollouts, filtered and sorted',
  usage: '[--where EXPR] [--sort COL] [--limit N]',
  options: {
    ...workspaceOptions,
    where: {
      type: 'string',
      value: 'EXPR',
      help: 'conditions joined by "and", such as: reward >= 0.5 and task ~ "cursor"',
    },
    sort: { type: 'string', value: 'COL', help: 'column, or several with commas; -COL sorts from large to small' },
    limit: { type: 'string', value: 'N', help: 'rows to print (default 50)' },
  },
  examples: [
    ['rollscope rollouts --sort -score --limit 20', 'the twenty most suspicious'],
    [
      'rollscope rollouts --where "reward >= 1 and marked = true and label is none"',
      'rewarded suspects nobody has judged',
    ],
    [
      'rollscope rollouts --where "rule = E1 and standing and (label is none or label = clean)"',
      'hits of one rule that stood to the end and that nobody called a hack',
    ],
    ['rollscope rollouts --where "summarySegments > 0" --json', 'those that compacted, as JSON'],
  ],
  async run({ values }, environment) {
    const where = parseWhere(values.where);
    const sort = parseSort(values.sort);
    const limit = numberOption('limit', values.limit, { min: 1, max: 1_000_000 }) ?? 50;
    const found = await withWorkspace({ db: values.db }, environment, (engine) =>
      readRollouts(engine, where, sort, limit),
    );
    environment.output.answer({ rollouts: found.rows, total: found.total }, () =>
      rolloutsText(found.rows, found.total, environment.output.width),
    );
    return exit.done;
  },
});

function rolloutsText(rows: readonly RolloutRow[], total: number, width: number): string {
  if (total === 0) return 'No rollouts match.';
  const lines = rows.map((row) => [
    row.id,
    oneLine(row.externalId, 24),
    oneLine(row.task ?? '–', Math.max(16, Math.min(40, width - 100))),
    number(row.reward),
    row.status,
    count(row.segments),
    count(row.steps),
    count(row.tokens),
    number(row.maxAbsAdvantage),
    row.score === null ? '–' : row.score.toFixed(2),
    row.topKind ?? '',
    row.label ?? '',
  ]);
  const listed = table(
    [
      { title: 'Id' },
      { title: 'Rollout' },
      { title: 'Task' },
      { title: 'Reward', right: true },
      { title: 'Status' },
      { title: 'Segments', right: true },
      { title: 'Steps', right: true },
      { title: 'Tokens', right: true },
      { title: 'Max |A|', right: true },
      { title: 'Score', right: true },
      { title: 'Suspicion' },
      { title: 'Label' },
    ],
    lines,
  );
  const rest = rows.length < total ? `\n\n${count(rows.length)} of ${count(total)} rollouts; --limit shows more.` : '';
  return `${listed}${rest}`;
}
