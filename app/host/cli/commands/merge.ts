// rollscope merge: the work of people who labelled apart, in one workspace.

import { copyFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkspaceMerged } from '../../../engine/labels/merge.ts';
import { Refusal } from '../../../shared/errors.ts';
import { command, commonOptions, exit, UsageError } from '../command.ts';
import { plural, printable } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

export const mergeCommand = command({
  name: 'merge',
  summary: 'unite the labels, schemas and queues of workspaces',
  usage: 'A.db B.db... [--to OUT.db]',
  about:
    'Takes the labels, label schemas, profiles and queues of the other workspaces into the first one, or with --to into a\n' +
    'copy of it; rollouts are not copied. The ledgers are united act by act: merging again changes nothing, and the order\n' +
    'does not matter. Labels of rollouts that are not there wait for them. Where people differ, the rollout is disputed\n' +
    'until somebody adjudicates it.',
  options: {
    ...commonOptions,
    to: { type: 'string', value: 'FILE', help: 'write the result there and leave the first workspace as it is' },
  },
  examples: [
    ['rollscope merge mine.rollscope theirs.rollscope', "take a colleague's labels in"],
    ['rollscope merge a.rollscope b.rollscope c.rollscope --to all.rollscope', 'three into a fourth'],
  ],
  async run({ values, positionals }, environment) {
    const paths = positionals.map((path) => resolve(environment.cwd, path));
    const [first, ...others] = paths;
    if (first === undefined || others.length === 0) throw new UsageError('Name at least two workspaces.');
    for (const path of paths) {
      if (!existsSync(path)) {
        throw new Refusal('workspace-missing', `There is no workspace at ${path}.`, 'Check the path.');
      }
    }
    const to = values.to === undefined ? first : resolve(environment.cwd, values.to);
    if (to !== first) await copyTo(first, to, environment);
    const merged = await withWorkspace({ db: to }, environment, async (engine) => {
      const results: WorkspaceMerged[] = [];
      for (const path of others) results.push(await engine.mergeFrom(path));
      return { workspace: to, merged: results, labels: (await engine.client.workspace.hello()).totals.labels };
    });
    const { output } = environment;
    output.answer(merged, () =>
      [
        ...merged.merged.map(({ path, imported, duplicates, skipped, queues, absent }) =>
          [
            `${printable(path)}: ${plural(imported, 'act')} new, ${plural(duplicates, 'act')} here already, ${plural(queues, 'queue')} new.`,
            ...(absent > 0
              ? [`  ${plural(absent, 'labelled rollout')} not in this workspace; the labels wait for them.`]
              : []),
            ...skipped.slice(0, 20).map(({ reason }) => `  ${printable(reason)}`),
          ].join('\n'),
        ),
        `${plural(merged.labels, 'label')} in force in ${merged.workspace}.`,
      ].join('\n'),
    );
    return merged.merged.some(({ skipped }) => skipped.length > 0) ? exit.refused : exit.done;
  },
});

/** A copy of a workspace that nobody has open. @throws Refusal `file-exists`. */
async function copyTo(from: string, to: string, environment: Parameters<typeof withWorkspace>[1]): Promise<void> {
  if (existsSync(to)) {
    throw new Refusal('file-exists', `${to} is there already.`, 'Choose another name with --to, or merge into it.');
  }
  // Opening and closing moves what stands in the write-ahead log into the one file.
  await withWorkspace({ db: from }, environment, async () => undefined);
  copyFileSync(from, to);
}
