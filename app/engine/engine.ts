// The engine: one workspace, its threads, its jobs, and the router that implements the contract. The same function starts
// it in Electron's utility process, in the headless host, in the command line and in tests.

import { basename } from 'node:path';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient, EventPublisher } from '@orpc/server';
import type { Role } from '../contract/annotators.ts';
import type { Contract } from '../contract/index.ts';
import type { SearchIndexState } from '../contract/search.ts';
import type { Hello } from '../contract/workspace.ts';
import type { Limits } from '../ingest/limits.ts';
import { messageOf } from '../shared/errors.ts';
import { type AdvantagesExport, exportAdvantages } from './advantages/export-advantages.ts';
import type { SegmentTokens, TextChoice } from './advantages/tokens.ts';
import { isBlindable } from './blindfold.ts';
import { type Exported, type ExportRequest, exportLines } from './export.ts';
import { runJob } from './job-kinds.ts';
import { JobManager } from './jobs.ts';
import { JudgeKey } from './judge/judge-key.ts';
import type { JudgePace } from './judge/judge-votes.ts';
import { importLabelLines, type LabelsImported } from './labels/labels-import.ts';
import { mergeWorkspace, type WorkspaceMerged } from './labels/merge.ts';
import type { LinkKeeper } from './links.ts';
import { createRouter, type EngineRouter } from './router.ts';
import { createSearch } from './search/search.ts';
import { batchLimits, SearchIndexer } from './search/search-index.ts';
import type { Services } from './services.ts';
import type { ParserApi } from './threads/parser.ts';
import type { ReaderApi } from './threads/reader.ts';
import { lazyThread, startThread } from './threads/rpc.ts';
import type { WriterApi } from './threads/writer.ts';

export interface EngineOptions {
  /** Path of the workspace file; created when absent. */
  readonly dbPath: string;
  /** Who labels; else the name remembered in the workspace, else the user's name. */
  readonly annotator?: string;
  readonly host: Hello['host'];
  readonly version: string;
  readonly canPickFiles?: boolean;
  readonly canUpload?: boolean;
  readonly readOnly?: boolean;
  /** Folders that imports are confined to; null or absent means none. The host checks the paths. */
  readonly roots?: readonly string[] | null;
  /** Folder of the bundled samples, for the demo. */
  readonly samplesDir?: string;
  readonly limits?: Partial<Limits>;
  /** Is told what a person at a terminal should know. */
  readonly log?: (line: string) => void;
  /** Reports slow statements on stderr. */
  readonly slowQueries?: boolean;
  /** Milliseconds of quiet after the start and after a job before texts are indexed; 1,500 by default, null for never. */
  readonly indexAfterMs?: number | null;
  /** The links of the host, where it has any to give. */
  readonly links?: LinkKeeper;
  /** How patient the judge is with its endpoint. */
  readonly judgePace?: Partial<JudgePace>;
  /** Path of a file that holds the judge's key, as named for this process; see judge-key.ts. */
  readonly judgeKeyFile?: string;
}

export interface Engine extends AsyncDisposable {
  readonly router: EngineRouter;
  /** The contract, called in process. */
  readonly client: ContractRouterClient<Contract>;
  readonly workspacePath: string;
  /** A whole stored text; null for an unknown id. */
  body(id: number): Promise<string | null>;
  /** Streams an export; gives the number of rows written and of credentials masked. */
  exportTo(options: ExportRequest): Promise<Exported>;
  /** Writes stored runs as a file (segments are its rows). */
  exportAdvantages(options: AdvantagesExport): Promise<{ rows: number; rollouts: number; stale: number }>;
  /** Reads lines of labels (see label-lines.ts). All acts of a file are appended, or none. */
  labelsImport(lines: AsyncIterable<string>, name: string): Promise<LabelsImported>;
  /** The profiles that were added to the workspace. */
  addedAnnotators(): Promise<{ name: string; role: Role }[]>;
  /** Takes in what another workspace has of labels, schemas and queues; its file is only read. */
  mergeFrom(path: string): Promise<WorkspaceMerged>;
  /** Token columns of every segment of a rollout; with `texts` also what the tokens say. */
  readTokens(rollout: string, run?: string, texts?: TextChoice): Promise<readonly SegmentTokens[]>;
  /** Completes the full-text index now, without waiting for quiet. */
  completeIndex(onProgress?: (state: SearchIndexState) => void, signal?: AbortSignal): Promise<void>;
  /** Cancels running jobs, closes the readers, the writer last. */
  close(): Promise<void>;
}

/**
 * Opens a workspace and starts the engine on it.
 * @throws Refusal of db/open.ts, for example `workspace-newer` or `workspace-foreign`.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const log = options.log ?? (() => undefined);
  const onCrash = (name: string) => (error: Error) => log(`The ${name} thread failed: ${error.message}`);
  const writer = startThread<WriterApi>(
    'writer',
    { path: options.dbPath, version: options.version, slowQueries: options.slowQueries === true },
    onCrash('writer'),
  );
  // The readers need the migrated file.
  const { notes } = await writer.call('ready', undefined);
  for (const note of notes) log(note);
  const startScreen = () => startThread<ReaderApi>('reader', { path: options.dbPath }, onCrash('screen reader'));
  // Most commands show no screen; where there is one, it will ask at once.
  const screen = options.host === 'cli' ? lazyThread('reader', startScreen) : startScreen();
  const work = startThread<ReaderApi>('reader', { path: options.dbPath, cacheMiB: 8 }, onCrash('job reader'));
  const parser = startThread<ParserApi>('parser', null, onCrash('parser'));

  let annotator = options.annotator ?? (await work.call('setting', { key: 'annotator' })) ?? userName();
  const labelChanges = new EventPublisher<{ change: { rollout: string | null; at: string } }>();
  const threads = { writer, screen, work, parser, workspace: options.dbPath };
  const jobs = new JobManager((request, context) => runJob(services, request, context), {
    started: (state, request) => quietly(writer.call('jobStarted', { state, request })),
    ended: (state) => {
      quietly(writer.call('jobEnded', { state: { ...state, result: null } }));
      wakeIndexer();
    },
  });
  const indexer = new SearchIndexer({
    batch: () => writer.call('indexTexts', { limits: batchLimits }),
    busy: () => jobs.isBusy(),
    log,
    delayMs: options.indexAfterMs ?? 1_500,
  });
  function wakeIndexer(): void {
    if (options.readOnly !== true && options.indexAfterMs !== null) indexer.wake();
  }
  wakeIndexer();
  const search = createSearch(() =>
    startThread<ReaderApi>('reader', { path: options.dbPath }, onCrash('search reader')),
  );
  const services: Services = {
    options,
    threads,
    jobs,
    search,
    judgeKey: new JudgeKey(process.env, options.judgeKeyFile),
    labelChanges,
    annotator: () => annotator,
    setAnnotator: async (name) => {
      annotator = name;
      await writer.call('setSetting', { key: 'annotator', value: name });
    },
    blind: async (me) =>
      isBlindable(me) ? new Set(await screen.call('blindRollouts', { annotator: me.annotator })) : new Set(),
    workspaceName: basename(options.dbPath).replace(/\.(rollscope|db|sqlite)$/u, ''),
  };
  function quietly(call: Promise<unknown>): void {
    call.catch((error) => log(`The job could not be noted: ${messageOf(error)}`));
  }

  const router = createRouter(services);
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await jobs.stopAll();
    await indexer.stop();
    await Promise.all([parser.close(), screen.close(), work.close(), search.close()]);
    await writer.close();
  }
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };

  return {
    router,
    client: createRouterClient(router),
    workspacePath: options.dbPath,
    body: (id) => screen.call('body', { id }),
    exportTo: (exporting) => exportLines(threads, exporting),
    exportAdvantages: (exporting) => exportAdvantages(threads, exporting),
    labelsImport: (lines, name) => importLabelLines(services, lines, name),
    addedAnnotators: () => work.call('addedAnnotators', undefined),
    mergeFrom: (path) => mergeWorkspace(services, path),
    completeIndex: (onProgress, signal) => indexer.complete(onProgress, signal),
    readTokens: (rollout, run, texts) => work.call('tokens', { rollout, run, texts }),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function userName(): string {
  return process.env.USER ?? process.env.USERNAME ?? 'annotator';
}
