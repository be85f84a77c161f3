// rollscope search: a text in all texts of the workspace, or of a filtered list.

import type { SearchHit, SearchUpdate } from '../../../contract/index.ts';
import type { Engine } from '../../../engine/engine.ts';
import { Refusal } from '../../../shared/errors.ts';
import { command, type Environment, exit, numberOption, UsageError, workspaceOptions } from '../command.ts';
import { count, cut, oneLine, plural, printable } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

interface Found {
  readonly hits: readonly SearchHit[];
  readonly last: SearchUpdate;
  /** Parts found by rollout, for rollouts with listed hits. */
  readonly places: ReadonlyMap<string, number>;
}

export const searchCommand = command({
  name: 'search',
  summary: 'find a text in all texts of the workspace',
  usage: 'TEXT [--where EXPR] [--limit N] [--index]',
  about:
    'Finds TEXT literally, ignoring case, in everything the rollouts say: inputs, reasoning, replies, tool calls and\n' +
    'observations, in any script. The answer is the same whether the texts are indexed yet or not; the index, which the\n' +
    'app and the host build in the background, only makes it faster.',
  options: {
    ...workspaceOptions,
    where: {
      type: 'string',
      value: 'EXPR',
      help: 'only in rollouts of this filter, such as: reward >= 1 and marked = true',
    },
    limit: { type: 'string', value: 'N', help: 'hits to list (default 100); all are counted' },
    index: { type: 'boolean', help: 'complete the index first, so that this and later searches are fast' },
  },
  examples: [
    ['rollscope search "assert True"', 'where the text occurs, by rollout and step'],
    ['rollscope search /opt/grader --where "reward >= 1"', 'only in rewarded rollouts'],
    ['rollscope search 测试 --json | jq ".rollouts[].id"', 'ids of the rollouts, as JSON'],
  ],
  async run({ values, positionals }, environment) {
    const [query, ...more] = positionals;
    if (query === undefined || query === '' || more.length > 0) {
      throw new UsageError('Give one text to find; put quotes around it when it has spaces.');
    }
    if (query.length > 400) throw new UsageError('The text to find may have at most 400 characters.');
    const where = parseWhere(values.where);
    const limit = numberOption('limit', values.limit, { min: 1, max: 10_000 }) ?? 100;
    const found = await withWorkspace({ db: values.db }, environment, async (engine) => {
      if (values.index === true) await completeIndex(engine, environment);
      return readHits(engine, { query, where, limit: Math.floor(limit) }, environment);
    });
    environment.output.answer(document(query, found), () => hitsText(query, found, environment.output.width));
    return exit.done;
  },
});

async function completeIndex(engine: Engine, { output, signal }: Environment): Promise<void> {
  await engine.completeIndex(({ indexed, total }) => {
    if (output.live) output.stderr.write(`\rindexing texts  ${count(indexed)} of ${count(total)}\u001b[K`);
  }, signal);
  if (output.live) output.stderr.write('\r\u001b[K');
}

async function readHits(
  engine: Engine,
  request: Parameters<Engine['client']['search']['texts']>[0],
  { output, signal }: Environment,
): Promise<Found> {
  const hits: SearchHit[] = [];
  const places = new Map<string, number>();
  const updates = await engine.client.search.texts({ perRollout: 10_000, ...request }, { signal });
  for await (const update of updates) {
    hits.push(...update.hits);
    for (const one of update.rollouts) places.set(one.rollout, one.places);
    if (update.finished) {
      if (output.live) output.stderr.write('\r\u001b[K');
      return { hits, last: update, places };
    }
    if (output.live) {
      const { done, total } = update;
      output.stderr.write(`\r${plural(update.places, 'place')}, read ${count(done)} of ${count(total)} texts…\u001b[K`);
    }
    if (signal.aborted) break;
  }
  throw new Refusal('cancelled', 'The search was cancelled.', 'Search again; nothing was changed.');
}

/** Hits by rollout, in order of the rollouts' first hits; within a rollout in reading order. */
function byRollout(hits: readonly SearchHit[]): SearchHit[][] {
  const groups = Map.groupBy(hits, (hit) => hit.rollout);
  return [...groups.values()].map((group) => group.toSorted((a, b) => a.item - b.item || a.part - b.part));
}

function document(query: string, { hits, last, places }: Found): unknown {
  return {
    query,
    scope: last.scope,
    places: last.places,
    occurrences: last.occurrences,
    rolloutsFound: last.rolloutCount,
    listed: last.listed,
    rollouts: byRollout(hits).flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { rollout: id, externalId, task } = first;
      const listed = group.map(({ rollout: _rollout, externalId: _externalId, task: _task, ...hit }) => hit);
      return [{ id, externalId, task, places: places.get(id) ?? group.length, hits: listed }];
    }),
  };
}

function hitsText(query: string, { hits, last, places }: Found, width: number): string {
  const scope =
    last.scope.rollouts === last.scope.all
      ? `all ${plural(last.scope.all, 'rollout')}`
      : `${count(last.scope.rollouts)} of ${plural(last.scope.all, 'rollout')}`;
  if (last.places === 0) return `“${printable(query)}” is nowhere in ${scope}.`;
  const blocks = byRollout(hits).map((group) => {
    const [first] = group;
    if (first === undefined) return '';
    const found = plural(places.get(first.rollout) ?? group.length, 'place');
    const head = `${first.rollout}  ${oneLine(first.externalId, 40)}  ${oneLine(first.task ?? '', 40)}`.trimEnd();
    return [`${head} · ${found}`, ...group.map((hit) => hitLine(hit, width))].join('\n');
  });
  const rest =
    last.listed < last.places
      ? `\nListed: ${count(last.listed)} of ${plural(last.places, 'place')}; --limit lists more.`
      : '';
  const total = `${plural(last.occurrences, 'occurrence')} in ${plural(last.places, 'place')} of ${plural(last.rolloutCount, 'rollout')}, searched in ${scope}.`;
  return `${blocks.join('\n\n')}\n\n${total}${rest}`;
}

/** `  item 12, step 4 · bash call   …before the match after…`, the match in view whatever the width. */
function hitLine(hit: SearchHit, width: number): string {
  const carried = hit.copied ? ' (copied)' : '';
  const where = `${hit.step === null ? `item ${hit.item}` : `step ${hit.step}`} · ${partName(hit)}${carried}`;
  const label = `  ${oneLine(where, 34).padEnd(34)}  `;
  const { before, match, after } = hit.snippet;
  const room = Math.max(30, width - label.length);
  // A pair cut in two would show as a replacement character.
  const lead = flat(before)
    .slice(-Math.floor(room / 3))
    .replace(/^[\udc00-\udfff]/, '');
  return `${label}${cut(`${lead === '' ? '' : `…${lead}`}${flat(match)}${flat(after)}`.trim(), room)}`;
}

function flat(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}

function partName(hit: SearchHit): string {
  const name = hit.name === null ? '' : `${hit.name} `;
  switch (hit.partKind) {
    case 'tool_call':
      return `${name}call`;
    case 'observation':
      return `${name}observation`;
    case 'text':
      return hit.role === 'assistant' ? 'reply' : `${hit.role} text`;
    default:
      return hit.partKind;
  }
}
