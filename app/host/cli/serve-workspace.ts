// Serves one workspace to a browser until it is asked to stop: what `serve`, `open` and `start` share.

import { realpath } from 'node:fs/promises';
import type { GivenLimits } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { Refusal } from '../../shared/errors.ts';
import { defaultServerLimits } from '../headless/limits.ts';
import { LinkBook, type LinkHolder } from '../headless/links.ts';
import { type HeadlessServer, startServer } from '../headless/server.ts';
import { createUploadFolder } from '../headless/upload.ts';
import { rendererFolder } from '../package-root.ts';
import { type Environment, type ExitCode, exit } from './command.ts';
import { withWorkspace } from './workspace.ts';

export interface ServeRequest {
  readonly db: string | undefined;
  readonly port?: number | undefined;
  readonly listen?: string | undefined;
  readonly hostNames?: readonly string[] | undefined;
  /** Folders from which paths may be imported; null allows any. */
  readonly roots?: readonly string[] | null | undefined;
  readonly readOnly?: boolean | undefined;
  readonly uploadBytes?: number | undefined;
  /** Who gets a link of their own; without any the owner's, and one for every profile of the workspace. */
  readonly annotators?: readonly LinkHolder[] | undefined;
  /** Limits of the importer other than the usual ones. */
  readonly limits?: GivenLimits | undefined;
  /** Paths to import once it serves. */
  readonly paths?: readonly string[] | undefined;
  /** Says where the screens are. */
  announce(server: HeadlessServer, workspace: string): void;
}

/** Serves until the signal aborts; gives the exit status of a clean end. */
export async function serveWorkspace(request: ServeRequest, environment: Environment): Promise<ExitCode> {
  const { signal, output } = environment;
  if (rendererFolder() === null) {
    output.note('The screens are not built: run "npm run build" in the folder of rollscope. Serving without them.');
  }
  const named = request.roots ? await Promise.all(request.roots.map(realFolder)) : null;
  const uploads = request.readOnly
    ? undefined
    : await createUploadFolder(request.uploadBytes ?? defaultServerLimits.uploadBytes);
  // What was dropped on the window lies in the upload folder, which is as good as a root.
  const roots = named === null ? null : [...named, ...(uploads ? [uploads.path] : [])];
  const links = new LinkBook();
  try {
    const options = {
      links,
      host: 'headless' as const,
      canPickFiles: false,
      canUpload: uploads !== undefined,
      readOnly: request.readOnly === true,
      roots: named,
      limits: request.limits ?? {},
      log: (line: string) => output.note(line),
    };
    return await withWorkspace({ db: request.db, create: true, options }, environment, async (engine) => {
      const server = await startServer(engine, {
        links,
        holders: await holdersOf(engine, request.annotators ?? []),
        listen: request.listen,
        port: request.port,
        hostNames: request.hostNames,
        uploads,
        roots,
        limits: request.uploadBytes === undefined ? undefined : { uploadBytes: request.uploadBytes },
        log: options.log,
      });
      try {
        request.announce(server, engine.workspacePath);
        if (request.paths && request.paths.length > 0) {
          await engine.client.jobs.start({ kind: 'import', paths: [...request.paths] });
        }
        await aborted(signal);
      } finally {
        await server.close();
      }
      return exit.done;
    });
  } finally {
    await uploads?.remove();
  }
}

async function holdersOf(engine: Engine, named: readonly LinkHolder[]): Promise<(LinkHolder | null)[]> {
  if (named.length > 0) return [...named];
  const profiles = await engine.addedAnnotators();
  return [null, ...profiles.map(({ name, role }) => ({ annotator: name, role }))];
}

async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw new Refusal('root-missing', `The folder ${path} is not there.`, 'Name an existing folder with --root.');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
