// rollscope vectors: golden vectors through the estimators, so that a trainer's author can check against them too.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runVectors } from '../../../engine/advantages/vectors.ts';
import { messageOf, Refusal } from '../../../shared/errors.ts';
import { command, commonOptions, exit, UsageError } from '../command.ts';
import { number, oneLine, plural, table } from '../text.ts';

export const vectorsCommand = command({
  name: 'vectors',
  summary: 'run a file of golden vectors through the estimators',
  usage: 'FILE [--failed]',
  about:
    'Runs every case of a golden-vector file through the same estimators as the app and compares each number with\n' +
    'what the file expects. An estimator that is not built yet is "unsupported", which is no failure.',
  options: {
    ...commonOptions,
    failed: { type: 'boolean', help: 'list only the cases that fail' },
  },
  examples: [
    ['rollscope vectors golden/cross.json', 'pass or fail for each case'],
    ['rollscope vectors golden/gae.json --json | jq .failed', 'the number of failures'],
  ],
  async run({ values, positionals }, environment) {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new UsageError('Name one file of vectors.');
    const result = runVectors(await readJson(resolve(environment.cwd, name), name));
    environment.output.answer(result, () => {
      const shown = values.failed ? result.cases.filter(({ status }) => status === 'fail') : result.cases;
      const rows = shown.map((each) => [
        each.status,
        each.estimator,
        each.name,
        number(each.worst),
        oneLine(each.detail ?? '', Math.max(20, environment.output.width - 70)),
      ]);
      const listed = table(
        [
          { title: 'Result' },
          { title: 'Estimator' },
          { title: 'Case' },
          { title: 'Worst', right: true },
          { title: 'Detail' },
        ],
        rows,
      );
      const sum = `${plural(result.passed, 'case')} passed, ${result.failed} failed, ${result.unsupported} unsupported.`;
      return rows.length === 0 ? sum : `${listed}\n\n${sum}`;
    });
    return result.failed > 0 ? exit.refused : exit.done;
  },
});

async function readJson(path: string, shown: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new Refusal('file-unreadable', `${shown} cannot be read: ${messageOf(error)}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('json-invalid', `${shown} is not JSON: ${messageOf(error)}.`);
  }
}
