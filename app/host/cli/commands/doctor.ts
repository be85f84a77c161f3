// rollscope doctor: what this machine has, and whether the workspace is well.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../shared/errors.ts';
import { packageVersion, rendererFolder, samplesFolder } from '../../package-root.ts';
import { workspacePath } from '../../workspace-path.ts';
import { command, type Environment, exit, workspaceOptions } from '../command.ts';
import { desktopSupport } from '../electron-binary.ts';
import { bytes, plural, printable, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

interface Check {
  readonly name: string;
  /** `note`: something is not there, and the app works without it. */
  readonly status: 'ok' | 'note' | 'failed';
  readonly detail: string;
}

export const doctorCommand = command({
  name: 'doctor',
  summary: 'check this machine, the installation and the workspace',
  usage: '',
  options: { ...workspaceOptions },
  examples: [['rollscope doctor', 'before you report a problem, include what it prints']],
  async run({ values }, environment) {
    const workspace = workspacePath(values.db, environment.env);
    const checks = [
      runtimeCheck(),
      await databaseCheck(environment),
      await workspaceCheck(workspace, environment),
      screensCheck(),
      desktopCheck(environment),
      samplesCheck(),
    ];
    const failed = checks.filter(({ status }) => status === 'failed').length;
    const document = {
      version: packageVersion(),
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
      workspace,
      electron: checks.find(({ name }) => name === 'desktop')?.status === 'ok',
      ok: failed === 0,
      checks,
    };
    environment.output.answer(document, () =>
      [
        `Rollscope ${document.version}, Node ${document.node}, ${document.platform} ${document.arch}`,
        '',
        table(
          [{ title: '' }, { title: '' }, { title: '' }],
          checks.map(({ name, status, detail }) => [status, name, printable(detail)]),
          false,
        ),
      ].join('\n'),
    );
    return failed > 0 ? exit.refused : exit.done;
  },
});

function runtimeCheck(): Check {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= 24
    ? { name: 'runtime', status: 'ok', detail: process.execPath }
    : {
        name: 'runtime',
        status: 'failed',
        detail: `Node ${process.versions.node} is too old; Rollscope needs 24 (npm install brings it on Linux).`,
      };
}

/** Makes a workspace in a temporary folder: the native SQLite binary loads, threads start, a file can be written. */
async function databaseCheck(environment: Environment): Promise<Check> {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-doctor-'));
  try {
    await withWorkspace({ db: join(folder, 'doctor.rollscope'), create: true }, environment, (engine) =>
      engine.client.workspace.hello(),
    );
    return { name: 'database', status: 'ok', detail: 'SQLite loads, its threads start, a workspace can be made' };
  } catch (error) {
    return { name: 'database', status: 'failed', detail: messageOf(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function workspaceCheck(path: string, environment: Environment): Promise<Check> {
  if (!existsSync(path))
    return { name: 'workspace', status: 'note', detail: `${path} is not there yet; the first import makes it` };
  try {
    const hello = await withWorkspace({ db: path }, environment, (engine) => engine.client.workspace.hello());
    const { rollouts, labels, alerts } = hello.totals;
    return {
      name: 'workspace',
      status: 'ok',
      detail: `${path}: ${bytes(hello.workspace.sizeBytes)}, ${plural(rollouts, 'rollout')}, ${plural(labels, 'label')}, ${plural(alerts, 'alert')}`,
    };
  } catch (error) {
    return { name: 'workspace', status: 'failed', detail: `${path}: ${messageOf(error)}` };
  }
}

function screensCheck(): Check {
  const folder = rendererFolder();
  return folder === null
    ? { name: 'screens', status: 'note', detail: 'not built: npm run build' }
    : { name: 'screens', status: 'ok', detail: folder };
}

function desktopCheck(environment: Environment): Check {
  const support = desktopSupport({ platform: process.platform, env: environment.env, uid: process.getuid?.() });
  return support.available
    ? { name: 'desktop', status: 'ok', detail: support.binary }
    : {
        name: 'desktop',
        status: 'note',
        detail: `${support.reason}; "rollscope open" serves the app to a browser instead`,
      };
}

function samplesCheck(): Check {
  const folder = samplesFolder();
  return existsSync(folder)
    ? { name: 'samples', status: 'ok', detail: folder }
    : { name: 'samples', status: 'failed', detail: `${folder} is missing; install the package again` };
}
