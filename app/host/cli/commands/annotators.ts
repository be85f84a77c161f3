// rollscope annotators: the people who work on a workspace, with their roles.

import { type AnnotatorProfile, annotatorName, roles } from '../../../contract/index.ts';
import { command, exit, UsageError, workspaceOptions } from '../command.ts';
import { count, printable, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

export const annotatorsCommand = command({
  name: 'annotators',
  summary: 'list, add or remove the people who label',
  usage: '[add NAME [--role ROLE] | remove NAME]',
  about:
    'Everyone added gets a link of their own from "rollscope serve". Roles: a viewer reads; an annotator labels and works\n' +
    'on queues; an adjudicator also makes and closes queues and decides disputes; an admin may do everything. Removing\n' +
    'somebody takes the profile away, never the labels.',
  options: {
    ...workspaceOptions,
    role: { type: 'string', value: 'ROLE', help: `${roles.join(', ')} (default: annotator)` },
  },
  examples: [
    ['rollscope annotators add mira', 'she gets a link at the next "rollscope serve"'],
    ['rollscope annotators add lea --role adjudicator', 'decides where the others differ'],
  ],
  async run({ values, positionals }, environment) {
    const [what, name, ...more] = positionals;
    const role = roles.find((each) => each === (values.role ?? 'annotator'));
    if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}.`);
    if (values.role !== undefined && what !== 'add') throw new UsageError('--role goes with "annotators add".');
    const parsed = annotatorName.safeParse(name);
    const changes = what === 'add' || what === 'remove';
    if ((changes && !parsed.success) || more.length > 0 || (what !== undefined && !changes)) {
      throw new UsageError('Say "annotators", "annotators add NAME" or "annotators remove NAME".');
    }
    const profiles = await withWorkspace({ db: values.db, create: what === 'add' }, environment, ({ client }) => {
      if (what === 'add' && parsed.success) return client.annotators.add({ name: parsed.data, role });
      if (what === 'remove' && parsed.success) return client.annotators.remove({ name: parsed.data });
      return client.annotators.list();
    });
    environment.output.answer({ annotators: profiles }, () => profilesText(profiles));
    return exit.done;
  },
});

function profilesText(profiles: readonly AnnotatorProfile[]): string {
  if (profiles.length === 0) return 'Nobody yet: "rollscope annotators add NAME" adds somebody.';
  return table(
    [{ title: 'Annotator' }, { title: 'Role' }, { title: 'Labels', right: true }, { title: 'Last label' }],
    profiles.map(({ name, role, labels, lastAt }) => [printable(name), role, count(labels), lastAt ?? '–']),
  );
}
