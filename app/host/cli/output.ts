// Where a command's words go: the answer to stdout (text, or exactly one JSON document), everything else to stderr.

import { once } from 'node:events';

export interface Output {
  readonly json: boolean;
  /** Columns of the terminal; 100 where there is none. */
  readonly width: number;
  /** Whether a progress bar can be drawn. */
  readonly live: boolean;
  /** The command's answer: the document with `--json`, else the text. Called once. */
  answer(document: unknown, text: () => string): void;
  /** A piece of an answer too large to hold whole; the caller takes care that the pieces make one document. */
  write(chunk: string): Promise<void>;
  /** A message beside the answer. */
  note(line: string): void;
  readonly stderr: NodeJS.WritableStream;
}

export function createOutput(json: boolean): Output {
  const { stdout, stderr } = process;
  return {
    json,
    width: stdout.columns ?? 100,
    live: stderr.isTTY === true,
    answer(document, text) {
      const answer = json ? JSON.stringify(document) : text();
      stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`);
    },
    async write(chunk) {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    note(line) {
      stderr.write(`${line}\n`);
    },
    stderr,
  };
}
