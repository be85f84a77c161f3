// Opens the app on a workspace: a desktop window where that is possible, else the same screens on loopback.

import { spawn } from 'node:child_process';
import { type Environment, type ExitCode, exit } from './command.ts';
import { desktopSupport } from './electron-binary.ts';
import { serveWorkspace } from './serve-workspace.ts';

/** Opens the app and waits until it is closed or stopped. @param paths Logs to import, absolute. */
export async function openApp(
  workspace: string,
  paths: readonly string[],
  environment: Environment,
): Promise<ExitCode> {
  const support = desktopSupport({ platform: process.platform, env: environment.env, uid: process.getuid?.() });
  if (support.available) {
    environment.output.answer(
      { desktop: true, url: null, workspace },
      () => `Opening the desktop app on ${workspace}.`,
    );
    return runDesktop(support.binary, [...support.args, '--db', workspace, '--', ...paths], environment.signal);
  }
  return serveWorkspace(
    {
      db: workspace,
      paths,
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
