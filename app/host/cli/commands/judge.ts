// rollscope judge: the intent judge over markers.

import { resolve } from 'node:path';
import { type JudgePreview, type JudgeReport, type JudgeSettings, judgeReport } from '../../../contract/index.ts';
import { command, exit, numberOption, UsageError, workspaceOptions } from '../command.ts';
import { resolveRollouts } from '../rows.ts';
import { runJob } from '../run-job.ts';
import { count, duration, number, oneLine, plural, printable, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

export const judgeCommand = command({
  name: 'judge',
  summary: 'ask an LLM about the intent behind markers (OpenAI-compatible endpoint)',
  usage: '[ROLLOUT...] [--endpoint URL --model NAME] [--votes N] [--limit N] [--dry-run]',
  about:
    'Sends the evidence of strong markers (the span, its chain, what stands around, the task contract; credentials masked)\n' +
    'to an OpenAI-compatible endpoint and stores its judgements beside the labels, which it never changes. Nothing is sent\n' +
    'without consent: --endpoint on this command line is consent for this run, else the one given in the app counts.\n' +
    '--dry-run prints exactly what would be sent and sends nothing. The key is read from the file that --key-file or\n' +
    'ROLLSCOPE_JUDGE_KEY_FILE names, or from ROLLSCOPE_JUDGE_KEY, and stored nowhere. Judgements that are there already\n' +
    'are kept; a run that was cancelled goes on where it stopped.\n' +
    'Exit status: 0 when every marker has a judgement, 2 when some failed or a cap was reached.',
  options: {
    ...workspaceOptions,
    endpoint: { type: 'string', value: 'URL', help: 'base of the API, for example http://127.0.0.1:8000/v1' },
    model: { type: 'string', value: 'NAME', help: 'model to ask' },
    'key-file': {
      type: 'string',
      value: 'FILE',
      help: "file with the endpoint's key; only its owner should be able to read it",
    },
    votes: { type: 'string', value: 'N', help: 'answers per marker (default: the stored setting, 3 at first)' },
    limit: { type: 'string', value: 'N', help: 'at most N markers, the highest scores first' },
    marker: { type: 'string', multiple: true, value: 'ID', help: 'only this marker (may be repeated)' },
    weak: { type: 'boolean', help: 'weak markers too' },
    again: { type: 'boolean', help: 'judge again what has a current judgement (equal requests come from the cache)' },
    temperature: { type: 'string', value: 'X', help: 'sampling temperature' },
    concurrency: { type: 'string', value: 'N', help: 'requests at a time' },
    'max-requests': { type: 'string', value: 'N', help: 'end the run after N requests, retries included' },
    'max-tokens': { type: 'string', value: 'N', help: 'end the run before it uses more than N tokens' },
    timeout: { type: 'string', value: 'SECONDS', help: 'longest wait for one answer' },
    text: { type: 'boolean', help: 'never ask for a JSON schema (response_format)' },
    'dry-run': { type: 'boolean', help: 'print what would be sent; send nothing' },
  },
  examples: [
    ['rollscope judge --endpoint http://127.0.0.1:8000/v1 --model qwen3-32b --dry-run', 'what would be sent'],
    ['rollscope judge --endpoint http://127.0.0.1:8000/v1 --model qwen3-32b --limit 50 --json', 'fifty markers'],
    ['rollscope judge --key-file ~/.config/judge.key --model large', 'with the endpoint and consent of the workspace'],
  ],
  async run({ values, positionals }, environment) {
    const limit = whole('limit', values.limit, 1_000_000);
    const settings = settingsOf(values);
    const keyFile = values['key-file'];
    const options = {
      log: (line: string) => environment.output.note(line),
      ...(keyFile === undefined ? {} : { judgeKeyFile: resolve(environment.cwd, keyFile) }),
    };
    return withWorkspace({ db: values.db, options }, environment, async (engine) => {
      const { client } = engine;
      const rollouts = await resolveRollouts(engine, positionals);
      const select = {
        ...(rollouts.length > 0 ? { rollouts } : {}),
        ...(values.marker === undefined ? {} : { markers: values.marker }),
        ...(limit === null ? {} : { limit }),
        weak: values.weak === true,
        again: values.again === true,
      };
      if (values['dry-run'] === true) {
        const preview = await client.judge.preview({ ...select, settings });
        const { keyFile: file } = await client.judge.state();
        const trouble = file?.problem ?? file?.warning ?? null;
        if (trouble !== null) environment.output.note(trouble);
        environment.output.answer(preview, () => previewText(preview));
        return exit.done;
      }
      const state = await runJob(
        engine,
        {
          kind: 'judge',
          ...select,
          settings,
          ...(settings.endpoint === undefined ? {} : { consent: settings.endpoint }),
        },
        environment,
      );
      const report = judgeReport.parse(state.result);
      environment.output.answer(report, () => reportText(report, environment.output.width));
      return report.failed > 0 || report.capped > 0 ? exit.refused : exit.done;
    });
  },
});

interface Given {
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  readonly votes?: string | undefined;
  readonly temperature?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly timeout?: string | undefined;
  readonly 'max-requests'?: string | undefined;
  readonly 'max-tokens'?: string | undefined;
  readonly text?: boolean | undefined;
}

/** Settings that the command line names; the rest is as stored. */
function settingsOf(values: Given): Partial<JudgeSettings> {
  const { endpoint, model } = values;
  if (endpoint !== undefined && !/^https?:\/\/[^\s/@]+(?:\/|$)/u.test(endpoint)) {
    throw new UsageError(
      `--endpoint wants an address that begins with http:// or https://, not "${printable(endpoint)}".`,
    );
  }
  const votes = whole('votes', values.votes, 15);
  const concurrency = whole('concurrency', values.concurrency, 64);
  const maxRequests = whole('max-requests', values['max-requests'], Number.MAX_SAFE_INTEGER);
  const maxTokens = whole('max-tokens', values['max-tokens'], Number.MAX_SAFE_INTEGER);
  const temperature = numberOption('temperature', values.temperature, { min: 0, max: 2 });
  const timeoutSeconds = numberOption('timeout', values.timeout, { min: 1, max: 3_600 });
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(model === undefined ? {} : { model }),
    ...(votes === null ? {} : { votes }),
    ...(concurrency === null ? {} : { concurrency }),
    ...(maxRequests === null ? {} : { maxRequests }),
    ...(maxTokens === null ? {} : { maxTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    ...(values.text === true ? { structured: 'text' } : {}),
  };
}

function whole(name: string, text: string | undefined, max: number): number | null {
  const value = numberOption(name, text, { min: 1, max });
  if (value !== null && !Number.isInteger(value))
    throw new UsageError(`--${name} must be a whole number, not "${text}".`);
  return value;
}

function amountText(preview: Pick<JudgePreview, 'requests' | 'promptTokens' | 'cost'>): string {
  const cost = preview.cost === null ? '' : `, at most ${number(preview.cost)} by the prices given`;
  return `${plural(preview.requests, 'request')}, about ${count(preview.promptTokens)} prompt tokens${cost}`;
}

function previewText(preview: JudgePreview): string {
  const { example } = preview;
  const lines = [
    preview.url === null
      ? 'No endpoint is set.'
      : `To ${preview.url}, model ${printable(preview.model) || '(not set)'}`,
    `${plural(preview.markers, 'marker')}, ${count(preview.current)} judged already: ${amountText(preview)}. Nothing was sent.`,
  ];
  if (example === null) return [...lines, 'There is no marker to judge.'].join('\n');
  lines.push(
    '',
    `The request about ${example.marker} of ${example.rollout}, ${plural(example.maskedCredentials, 'credential')} masked:`,
    ...example.headers.map(({ name, value }) => `${name}: ${value}`),
    '',
    printable(example.body),
  );
  return lines.join('\n');
}

function reportText(report: JudgeReport, width: number): string {
  const rows = report.judgements
    .slice(0, 200)
    .map((one) => [
      one.marker,
      one.verdict ?? 'failed',
      one.confidence === null ? '–' : one.confidence.toFixed(2),
      one.kind,
      oneLine(one.error?.message ?? one.rationale, Math.max(30, width - 62)),
    ]);
  const columns = ['Marker', 'Verdict', 'Agree', 'Kind', 'Why'].map((title) => ({ title }));
  const lines = rows.length === 0 ? [] : [table(columns, rows), ''];
  const { verdicts } = report;
  lines.push(
    `${plural(report.judged, 'judgement')} of ${plural(report.markers, 'marker')}: ${verdicts.hack} hack, ${verdicts.clean} clean, ${verdicts.unsure} unsure; ${report.current} were current, ${report.failed} failed.`,
    `${plural(report.requests, 'request')}, ${plural(report.cachedVotes, 'vote')} from the cache, ${count(report.promptTokens + report.answerTokens)} tokens${report.cost === null ? '' : `, ${number(report.cost)} by the prices given`}, ${duration(report.elapsedMs)}.`,
  );
  if (report.capped > 0) {
    lines.push(
      `A cap of the run was reached: ${plural(report.capped, 'marker')} left. Run again to go on, or raise the cap.`,
    );
  }
  return lines.join('\n');
}
