// The next item of a queue on the command line: reserved for whoever labels, shown as far as it may be seen.

import type { NextItem, QueueProgress, ReviewItem, ReviewMarker } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { type ExitCode, exit } from './command.ts';
import type { Output } from './output.ts';
import { count, plural, printable } from './text.ts';

/** Reserves and prints it. Exit status: done with an item or at the end of the queue, refused while others have what is left. */
export async function showNext(client: Engine['client'], queue: string, output: Output): Promise<ExitCode> {
  const next = await client.review.next({ queue });
  output.answer(next, () => nextText(next));
  return next.state === 'waiting' || next.state === 'closed' ? exit.refused : exit.done;
}

const without = {
  done: 'Nothing is left here for you.',
  waiting: 'What is left is reserved by others just now; try again later.',
  closed: 'The queue is closed.',
} as const;

function nextText({ state, item, progress }: NextItem): string {
  if (item === null) return `${state === 'item' ? without.done : without[state]}\n${progressText(progress)}`;
  return [...itemLines(item), progressText(progress)].join('\n');
}

function itemLines({ id, target, rollout, markers, hidden, reservedUntil }: ReviewItem): string[] {
  const what = target.type === 'marker' ? `marker ${target.marker ?? ''} of ${target.rollout}` : target.rollout;
  return [
    `${id}: ${what}${rollout === null ? ', which is no longer in the workspace' : `, ${printable(rollout.externalId)}`}`,
    ...(rollout?.task == null ? [] : [`task ${printable(rollout.task)}`]),
    ...(hidden.length === 0 ? [] : [`hidden until you have decided: ${hidden.join(', ')}`]),
    ...markers.map(markerLine),
    ...(reservedUntil === null ? [] : [`reserved for you until ${reservedUntil}`]),
    `rollscope show ${target.rollout} --steps has the whole story`,
  ];
}

function markerLine({ id, item, quote, claim }: ReviewMarker): string {
  const said = claim === null ? '' : `  ${claim.kind}, ${claim.rule}`;
  return printable(`  ${id}  item ${item + 1}${said}  ${quote.replace(/\s+/gu, ' ').slice(0, 120)}`);
}

function progressText({ labels, wanted, mine }: QueueProgress): string {
  return `${count(labels)} of ${plural(wanted, 'label')}; ${count(mine.left)} left for you`;
}
