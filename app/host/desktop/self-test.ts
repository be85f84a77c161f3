// `--self-test`: what only a real Electron can show, as one JSON document. Run once on every packaged build: the engine's
// threads with SQLite and zstd inside a utility process, the screens and their workers under app://, the port hand-over.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '../../contract/index.ts';
import { messageOf } from '../../shared/errors.ts';
import type { DesktopOptions, Shell } from './app-main.ts';
import type { ElectronApi } from './electron-api.ts';
import { launchEngine } from './engine-link.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Runs every check, prints the document, gives the exit code: 0 when all are well, 2 when one failed. */
export async function selfTest(electron: ElectronApi, shell: Shell, options: DesktopOptions): Promise<number> {
  const checks: Check[] = [];
  const check = async (name: string, run: () => Promise<string>): Promise<void> => {
    try {
      checks.push({ name, ok: true, detail: await within(run(), 60_000) });
    } catch (error) {
      checks.push({ name, ok: false, detail: messageOf(error) });
    }
  };
  await check('engine: SQLite and zstd in threads of a utility process', () => demoInEngine(electron, options));
  await check('page: screens load and get their port', () => pageIsAlive(shell));
  await check('page: workers start under app://', () => workersStart(shell, options));
  const document = { version: options.version, versions: { ...process.versions }, checks };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  return checks.every(({ ok }) => ok) ? 0 : 2;
}

/** Imports the demo into a workspace of its own through a second engine, over a port as a window would. */
async function demoInEngine(electron: ElectronApi, options: DesktopOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-self-test-'));
  const { promise: failure, reject } = Promise.withResolvers<never>();
  const engine = launchEngine(
    electron,
    {
      module: options.engine,
      dbPath: join(folder, 'test.rollscope'),
      limits: {},
      version: options.version,
      samples: options.samples,
    },
    {
      log: options.log,
      failed: ({ message }) => reject(new Error(message)),
      gone: (code) => reject(new Error(`The engine's process ended with code ${code}.`)),
    },
  );
  const run = async (): Promise<string> => {
    await engine.ready;
    const { port1, port2 } = new electron.MessageChannelMain();
    engine.connect(port1);
    const link = new RPCLink({
      port: {
        on: (event, callback) => {
          if (event === 'close') port2.on('close', () => callback());
          else port2.on('message', (message) => callback(message));
        },
        postMessage: (data: unknown) => port2.postMessage(data),
      },
    });
    port2.start();
    const client: ContractRouterClient<Contract> = createORPCClient(link);
    const { id } = await client.jobs.start({ kind: 'demo' });
    for await (const state of await client.jobs.watch({ id })) {
      if (state.error) throw new Error(state.error.message);
    }
    const { totals } = await client.workspace.hello();
    if (totals.rollouts === 0) throw new Error('The demo brought no rollouts.');
    return `${totals.rollouts} rollouts`;
  };
  try {
    return await Promise.race([run(), failure]);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The frame of the app stands and names its workspace, which it can only know from the engine. */
async function pageIsAlive(shell: Shell): Promise<string> {
  const contents = shell.windows()[0]?.webContents;
  if (!contents) throw new Error('There is no window.');
  const script = `new Promise((resolve, reject) => {
    let tries = 0;
    const look = () => {
      const text = document.body.innerText.trim();
      if (text.length > 0 && !document.querySelector('[data-connection="connecting"]')) resolve(text.slice(0, 80));
      else if ((tries += 1) > 100) reject(new Error('The page stayed empty.'));
      else setTimeout(look, 100);
    };
    look();
  })`;
  return String(await contents.executeJavaScript(script));
}

async function workersStart(shell: Shell, options: DesktopOptions): Promise<string> {
  const contents = shell.windows()[0]?.webContents;
  if (!contents || options.renderer === null) throw new Error('There is no window or no built page.');
  const workers = readdirSync(join(options.renderer, 'assets')).filter((name) => /worker.*\.js$/i.test(name));
  for (const name of workers) {
    await contents.executeJavaScript(`new Promise((resolve, reject) => {
      const worker = new Worker(${JSON.stringify(`/assets/${name}`)}, { type: 'module' });
      worker.onerror = (event) => reject(new Error('The worker failed: ' + event.message));
      setTimeout(() => { worker.terminate(); resolve(true); }, 500);
    })`);
  }
  return `${workers.length} worker files`;
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds / 1000} s.`)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
