// rollscope queue: lists of rollouts or markers to label, made, watched and closed from the command line.

import {
  type QueueEntry,
  type QueueInput,
  type QueueRow,
  queueInput,
  type SamplingPlan,
  samplingPlan,
} from '../../../contract/index.ts';
import { command, exit, numberOption, UsageError, workspaceOptions } from '../command.ts';
import { showNext } from '../queue-next.ts';
import { count, plural, printable, table } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

export const queueCommand = command({
  name: 'queue',
  summary: 'make, list, close or delete queues for annotators, and see what comes next',
  usage: 'create NAME [--where EXPR] [--plan PLAN] | list | next ID | close ID | open ID | delete ID | entries ID',
  about:
    'A queue is an ordered list of rollouts, or with --markers of markers, drawn from what --where gives. Plans: all; random;\n' +
    'score (highest first); uncertainty (nearest to the threshold first); disagreement; stratified. score and uncertainty\n' +
    'draw with unequal chances with --weighted. The chance of every entry is kept, so that figures from the labels can\n' +
    'speak for all: "entries" lists it. Annotators do not see scores, what the rules say, judgements and each other\'s labels\n' +
    'before their own label is in, unless --show names them. "next" reserves an item for the annotator set in the workspace\n' +
    'and prints what may be seen of it.',
  options: {
    ...workspaceOptions,
    where: { type: 'string', value: 'EXPR', help: 'only these rollouts: see "rollscope rollouts --help"' },
    plan: {
      type: 'string',
      value: 'PLAN',
      help: 'all, random, score, uncertainty, disagreement, stratified (default: all)',
    },
    count: { type: 'string', value: 'N', help: 'how many to draw (every plan but "all")' },
    strata: { type: 'string', value: 'BY', help: 'for stratified: task, kind, score or step (default: task)' },
    allocation: { type: 'string', value: 'HOW', help: 'for stratified: equal or proportional (default: equal)' },
    weighted: { type: 'boolean', help: 'draw by chance instead of the highest first' },
    markers: { type: 'boolean', help: 'a queue of markers instead of rollouts' },
    seed: { type: 'string', value: 'N', help: 'makes the draw repeatable (default: 1)' },
    'per-item': { type: 'string', value: 'N', help: 'annotators per item (default: 1)' },
    repeats: { type: 'string', value: 'N', help: 'items that come twice to the same annotator (default: 0)' },
    show: {
      type: 'string',
      value: 'WHAT',
      multiple: true,
      help: 'show markers, score, judgement or labels before the decision; may be given several times',
    },
    'hide-outcome': { type: 'boolean', help: 'also hide reward and status before the decision' },
  },
  examples: [
    ['rollscope queue create suspects --where "marked = true" --plan score --count 200', 'the most suspicious ones'],
    ['rollscope queue create audit --plan stratified --strata score --count 300 --per-item 2', 'two labels on each'],
    ['rollscope queue list', 'how far they are'],
    ['rollscope queue next q-0123456789ab --json', 'reserve the next item and see of it what may be seen'],
  ],
  async run({ values, positionals }, environment) {
    const [what, name, ...more] = positionals;
    const { output } = environment;
    if (more.length > 0) throw new UsageError(`"${more[0]}" is one argument too many.`);
    if (what === 'list' && name === undefined) {
      return withWorkspace({ db: values.db }, environment, async ({ client }) => {
        const queues = await client.review.queues({});
        output.answer({ queues }, () => listText(queues));
        return exit.done;
      });
    }
    if (name === undefined) throw new UsageError('Say "queue list" or "queue create NAME".');
    if (what === 'create') {
      const request = createRequest(name, values);
      return withWorkspace({ db: values.db }, environment, async ({ client }) => {
        const queue = await client.review.create(request);
        output.answer(
          { queue },
          () => `${queue.id}: ${plural(queue.progress.items, 'item')} of ${plural(queue.population, queue.target)}.`,
        );
        return exit.done;
      });
    }
    if (what === undefined || !known.includes(what)) throw new UsageError(`"queue ${what}" is not known.`);
    return withWorkspace({ db: values.db }, environment, async ({ client }) => {
      if (what === 'next') return showNext(client, name, output);
      if (what === 'close' || what === 'open') {
        const queue = await client.review.close({ queue: name, closed: what === 'close' });
        output.answer({ queue }, () => listText([queue]));
        return exit.done;
      }
      if (what === 'delete') {
        const { deleted } = await client.review.delete({ queue: name });
        output.answer({ deleted }, () =>
          deleted ? 'Deleted; its labels stay.' : `There is no queue ${printable(name)}.`,
        );
        return deleted ? exit.done : exit.refused;
      }
      const entries: QueueEntry[] = [];
      for (let start = 0; ; start += 500) {
        const page = await client.review.entries({ queue: name, start, count: 500 });
        entries.push(...page.entries);
        if (start + 500 >= page.total) break;
      }
      output.answer({ entries }, () =>
        table(
          [{ title: 'Item' }, { title: 'On' }, { title: 'Chance', right: true }, { title: 'Labels', right: true }],
          entries.map((entry) => [
            entry.id,
            entry.target.marker ?? entry.target.rollout,
            entry.probability.toFixed(3),
            count(entry.labels),
          ]),
        ),
      );
      return exit.done;
    });
  },
});

/** What works on a queue by its id. */
const known: readonly string[] = ['next', 'close', 'open', 'delete', 'entries'];

interface CreateOptions extends PlanOptions {
  readonly where?: string | undefined;
  readonly markers?: boolean | undefined;
  readonly seed?: string | undefined;
  readonly 'per-item'?: string | undefined;
  readonly repeats?: string | undefined;
  readonly show?: readonly string[] | undefined;
  readonly 'hide-outcome'?: boolean | undefined;
}

/** What is asked of the engine. @throws UsageError */
function createRequest(name: string, values: CreateOptions): QueueInput {
  return queueInput.parse({
    name,
    target: values.markers === true ? 'marker' : 'rollout',
    where: parseWhere(values.where),
    plan: planOf(values),
    seed: numberOption('seed', values.seed, { min: 0, max: 2 ** 31 - 1 }) ?? 1,
    perItem: numberOption('per-item', values['per-item'], { min: 1, max: 20 }) ?? 1,
    repeats: numberOption('repeats', values.repeats, { min: 0, max: 1_000 }) ?? 0,
    hidden: hiddenOf(values.show ?? [], values['hide-outcome'] === true),
  });
}

interface PlanOptions {
  readonly plan?: string | undefined;
  readonly count?: string | undefined;
  readonly strata?: string | undefined;
  readonly allocation?: string | undefined;
  readonly weighted?: boolean | undefined;
}

function planOf(values: PlanOptions): SamplingPlan {
  const by = values.plan ?? 'all';
  const size = numberOption('count', values.count, { min: 1, max: 100_000 });
  if (by === 'all' && size !== null) throw new UsageError('--count needs a --plan that draws, for example random.');
  if (by !== 'all' && size === null) throw new UsageError(`--plan ${by} needs --count.`);
  const parsed = samplingPlan.safeParse({
    by,
    ...(size === null ? {} : { count: size }),
    ...(by === 'stratified' ? { strata: values.strata ?? 'task', allocation: values.allocation ?? 'equal' } : {}),
    ...((by === 'score' || by === 'uncertainty') && values.weighted === true ? { draw: 'weighted' } : {}),
  });
  if (parsed.success) return parsed.data;
  throw new UsageError(`--plan ${by}: ${parsed.error.issues[0]?.message ?? 'not understood'}.`);
}

const hideable = ['markers', 'score', 'judgement', 'labels'] as const;

function hiddenOf(shown: readonly string[], outcome: boolean): ((typeof hideable)[number] | 'outcome')[] {
  const wrong = shown.find((each) => !hideable.some((kind) => kind === each));
  if (wrong !== undefined) throw new UsageError(`--show must be one of ${hideable.join(', ')}, not "${wrong}".`);
  return [...hideable.filter((kind) => !shown.includes(kind)), ...(outcome ? (['outcome'] as const) : [])];
}

function listText(queues: readonly QueueRow[]): string {
  if (queues.length === 0) return 'No queues yet: "rollscope queue create NAME" makes one.';
  return table(
    [
      { title: 'Queue' },
      { title: 'Name' },
      { title: 'Plan' },
      { title: 'Items', right: true },
      { title: 'Labels', right: true },
      { title: 'Wanted', right: true },
      { title: 'State' },
    ],
    queues.map(({ id, name, plan, progress, closedAt }) => [
      id,
      printable(name),
      plan.by,
      count(progress.items),
      count(progress.labels),
      count(progress.wanted),
      closedAt === null ? (progress.complete === progress.items ? 'complete' : 'open') : 'closed',
    ]),
  );
}
