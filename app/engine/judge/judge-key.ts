// The judge's API key: given by a person and kept in the memory of this process, or read from a file or the environment. It has
// no way into the workspace, a log, an export or a reply; texts that come back from a server are cleared of it.
//
// Which file is said to the process, on the command line or in the environment, and is no setting of a workspace: whoever could
// edit that could have any file of the machine sent to an endpoint of theirs.

import type { JudgeState } from '../../contract/judge.ts';
import { messageOf } from '../../shared/errors.ts';
import { keyFileWarning, readKeyFile } from './judge-key-file.ts';

/** The variable that is read. A general one, such as a provider's own, would send that provider's key to any endpoint. */
export const keyVariable = 'ROLLSCOPE_JUDGE_KEY';
/** The variable that names a file with the key. */
const keyFileVariable = 'ROLLSCOPE_JUDGE_KEY_FILE';

export class JudgeKey {
  #given: string | null = null;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #named: string | null;

  /** @param file Path of a file that the command line names; goes before the environment. */
  constructor(env: Readonly<Record<string, string | undefined>>, file?: string) {
    this.#env = env;
    this.#named = file ?? null;
  }

  /** Keeps a key until the process ends; null forgets it. */
  give(key: string | null): void {
    this.#given = key;
  }

  /** Where the key comes from: one that was given, then the file named for this run, the environment, the file it names. */
  origin(): JudgeState['key'] {
    if (this.#given !== null) return 'memory';
    if (this.#named !== null) return 'file';
    if (this.#variable(keyVariable) !== null) return 'environment';
    return this.#variable(keyFileVariable) === null ? 'none' : 'file';
  }

  /** The file that the key comes from, and what is wrong with it; null when it comes from elsewhere. */
  file(): JudgeState['keyFile'] {
    if (this.origin() !== 'file') return null;
    const path = this.#path();
    try {
      readKeyFile(path);
      return { path, problem: null, warning: keyFileWarning(path) };
    } catch (error) {
      return { path, problem: messageOf(error), warning: null };
    }
  }

  /**
   * The key for a request header; null without one. A file is read each time, so that a changed key counts from the next run
   * on. Only what asks the endpoint may call this.
   * @throws Refusal `key-file-unreadable`, `key-file-invalid`.
   */
  value(): string | null {
    switch (this.origin()) {
      case 'memory':
        return this.#given;
      case 'environment':
        return this.#variable(keyVariable);
      case 'file':
        return readKeyFile(this.#path());
      case 'none':
        return null;
    }
  }

  #path(): string {
    return this.#named ?? this.#variable(keyFileVariable) ?? '';
  }

  #variable(name: string): string | null {
    const value = (this.#env[name] ?? '').trim();
    return value === '' ? null : value;
  }
}

/** A text from a server without the key in it: some servers echo what they were sent. */
export function withoutKey(text: string, key: string | null): string {
  // A very short key is part of ordinary words, and no secret.
  const bare = key !== null && key.length >= 6 ? text.replaceAll(key, '[key]') : text;
  return bare.replace(/\bBearer\s+[^\s"'\\]+/giu, 'Bearer [key]');
}
