// A file dropped on the window of a browser: its bytes stream to a temporary folder of this server, never through memory.

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../../shared/errors.ts';

export interface UploadFolder {
  readonly path: string;
  /**
   * Stores one file and gives its path. Nothing stays behind when the stream breaks or the cap is passed.
   * @param announced Bytes according to the Content-Length header, if there is one.
   * @throws Refusal `upload-too-large`.
   */
  store(name: string, bytes: Readable, announced: number | null): Promise<string>;
  /** Removes the folder with everything in it. */
  remove(): Promise<void>;
}

/** A new private folder for uploads; `maxBytes` is the cap of one file. */
export async function createUploadFolder(maxBytes: number): Promise<UploadFolder> {
  // realpath: on macOS the temporary folder is a link, and import roots are compared by real path.
  const path = await realpath(await mkdtemp(join(tmpdir(), 'rollscope-upload-')));
  const tooLarge = () =>
    new Refusal(
      'upload-too-large',
      `The file is larger than the ${maxBytes} bytes that may be uploaded.`,
      'Import it by its path on the server, or raise --upload-bytes.',
    );
  return {
    path,
    async store(name, bytes, announced) {
      if (announced !== null && announced > maxBytes) throw tooLarge();
      // A folder for each file, so that the file keeps its own name and two of the same name do not meet.
      const folder = join(path, randomUUID());
      await mkdir(folder, { mode: 0o700 });
      const file = join(folder, uploadName(name));
      let received = 0;
      const cap = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          received += chunk.byteLength;
          done(received > maxBytes ? tooLarge() : null, chunk);
        },
      });
      try {
        await pipeline(bytes, cap, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
        return file;
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        throw error;
      }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** The file name to store under: the last path component without control characters, never empty, never a dot name. */
export function uploadName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  const clean = last.replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '_').slice(-200);
  return clean === '' || /^\.+$/.test(clean) ? 'upload' : clean;
}
