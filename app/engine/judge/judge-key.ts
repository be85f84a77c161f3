// The judge's API key: from the environment, or given by a person and kept in the memory of this process. It has no way into
// the workspace, a log, an export or a reply; texts that come back from a server are cleared of it.

/** The variable that is read. A general one, such as a provider's own, would send that provider's key to any endpoint. */
export const keyVariable = 'ROLLSCOPE_JUDGE_KEY';

export class JudgeKey {
  #given: string | null = null;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Keeps a key until the process ends; null forgets it. */
  give(key: string | null): void {
    this.#given = key;
  }

  /** Where the key comes from. One that was given goes before the environment. */
  origin(): 'memory' | 'environment' | 'none' {
    if (this.#given !== null) return 'memory';
    return (this.#env[keyVariable] ?? '').trim() === '' ? 'none' : 'environment';
  }

  /** The key for a request header; null without one. Only judge-client.ts may ask. */
  value(): string | null {
    if (this.#given !== null) return this.#given;
    const key = (this.#env[keyVariable] ?? '').trim();
    return key === '' ? null : key;
  }
}

/** A text from a server without the key in it: some servers echo what they were sent. */
export function withoutKey(text: string, key: string | null): string {
  // A very short key is part of ordinary words, and no secret.
  const bare = key !== null && key.length >= 6 ? text.replaceAll(key, '[key]') : text;
  return bare.replace(/\bBearer\s+[^\s"'\\]+/giu, 'Bearer [key]');
}
