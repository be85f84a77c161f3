// rollscope serve: the headless host.

import { resolve } from 'node:path';
import { command, numberOption, workspaceOptions } from '../command.ts';
import { serveWorkspace } from '../serve-workspace.ts';

export const serveCommand = command({
  name: 'serve',
  summary: 'serve the app to a browser on this machine; prints one URL',
  usage: '[--port N] [--root DIR]...',
  about:
    'Serves the workspace on the loopback interface and prints the one address, which holds a token. From another\n' +
    'machine, forward the port: ssh -L 8123:127.0.0.1:8123 cluster. Ends with Ctrl-C.',
  options: {
    ...workspaceOptions,
    port: { type: 'string', value: 'N', help: 'port (default: a free one)' },
    root: {
      type: 'string',
      value: 'DIR',
      multiple: true,
      help: 'import paths only from this folder; may be given several times',
    },
    'read-only': { type: 'boolean', help: 'look, but import and label nothing' },
    listen: { type: 'string', value: 'ADDRESS', help: 'other address to bind; off loopback it needs --host-name' },
    'host-name': {
      type: 'string',
      value: 'NAME[:PORT]',
      multiple: true,
      help: 'a further name in the browser: a forwarded port (localhost:9000) or a proxy',
    },
    annotator: {
      type: 'string',
      value: 'NAME',
      help: 'who gives the labels (default: the name kept in the workspace)',
    },
    'upload-bytes': { type: 'string', value: 'N', help: 'largest file that may be dropped on the window' },
  },
  examples: [
    ['rollscope serve --db runs.rollscope --port 8123', 'a fixed port, to forward over SSH'],
    ['rollscope serve --root /data/rollouts', 'imports from one folder only'],
    ['rollscope serve --port 8123 --host-name localhost:9000', 'when the port is forwarded under another number'],
  ],
  async run({ values }, environment) {
    const { output } = environment;
    return serveWorkspace(
      {
        db: values.db,
        port: numberOption('port', values.port, { min: 0, max: 65_535 }) ?? undefined,
        listen: values.listen,
        hostNames: values['host-name'],
        roots: values.root?.map((path) => resolve(environment.cwd, path)) ?? null,
        annotator: values.annotator,
        readOnly: values['read-only'],
        uploadBytes: numberOption('upload-bytes', values['upload-bytes'], { min: 1, max: 2 ** 50 }) ?? undefined,
        announce: (server, workspace) => {
          output.answer({ url: server.url, port: server.port, workspace }, () => server.url);
        },
      },
      environment,
    );
  },
});
