// Where the code of a thread lies: beside this file in a checkout (Node strips the types), in dist/node when built.

const threadNames = ['writer', 'reader', 'parser', 'regex', 'filter'] as const;
export type ThreadName = (typeof threadNames)[number];

/** URL of a thread's entry file. */
export function threadUrl(name: ThreadName): URL {
  if (import.meta.url.endsWith('.ts')) return new URL(`./${name}.ts`, import.meta.url);
  // A built chunk lies one folder deeper than the entries.
  const root = /\/chunks\/[^/]*$/.test(import.meta.url) ? '..' : '.';
  return new URL(`${root}/${name}.js`, import.meta.url);
}
