// Opens the app on a workspace: a desktop window where that is possible, else the same screens on loopback.

import { spawn } from 'node:child_process';
import { type GivenLimits, limitArguments } from '../../contract/index.ts';
import { type Environment, type ExitCode, exit } from './command.ts';
import { desktopSupport } from './electron-binary.ts';
import { serveWorkspace } from './serve-workspace.ts';

export interface OpenRequest {
  readonly workspace: string;
  /** Logs to import, absolute. */
  readonly paths: readonly string[];
  /** Limits of the importer other than the usual ones. */
  readonly limits: GivenLimits;
}

/** Opens the app and waits until it is closed or stopped. */
export async function openApp({ workspace, paths, limits }: OpenRequest, environment: Environment): Promise<ExitCode> {
  const support = desktopSupport({ platform: process.platform, env: environment.env, uid: process.getuid?.() });
  if (support.available) {
    environment.output.answer(
      { desktop: true, url: null, workspace },
      () => `Opening the desktop app on ${workspace}.`,
    );
    return runDesktop(
      support.binary,
      [...support.args, '--db', workspace, ...limitArguments(limits), '--', ...paths],
      environment.signal,
    );
  }
  return serveWorkspace(
    {
      db: workspace,
      paths,
      limits,
      announce: (server) => {
        environment.output.answer({ desktop: false, url: server.url, workspace }, () =>
          [
            `No desktop window: ${support.reason}. The same app is served to a browser on this machine:`,
            '',
            `  ${server.url}`,
            '',
            'Stop it with Ctrl-C.',
          ].join('\n'),
        );
      },
    },
    environment,
  );
}

function runDesktop(binary: string, args: readonly string[], signal: AbortSignal): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0 || signal.aborted ? exit.done : exit.refused);
    });
  });
}
