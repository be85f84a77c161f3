// Which commits a rollout shows to lie in the past of its checkout. The same `git show` is honest for those and suspicious for
// others, and a log often says which it is.

import type { Reading } from './reading.ts';

/** Abbreviations are compared by this many characters. */
const abbreviation = 7;
const commitId = /\b[0-9a-f]{7,40}\b/g;
/** Commands whose output lists HEAD, its ancestors and nothing else. */
const pastOfHead =
  /\bgit\b[^|;&\n]{0,160}\b(?:log|blame|annotate|shortlog|rev-parse|describe|bisect|commit|merge-base|rev-list)\b/;
const beyondHead =
  /--(?:all|remotes|branches|tags|reflog|glob|walk-reflogs)\b|\s-g\b|\breflog\b|\bfsck\b|(?:origin|upstream|remotes|refs|FETCH_HEAD|ORIG_HEAD|stash)\b|@\{|\.\./;

const known = new WeakMap<Reading, ReadonlySet<string>>();

/**
 * Whether a commit id (or an abbreviation of at least seven characters) stands in a user's or system text, in the output of a
 * command that lists the past of HEAD, or in that of a commit which the agent made.
 */
export function isPast(id: string, reading: Reading): boolean {
  if (!/^[0-9a-f]{7,40}$/i.test(id)) return false;
  let past = known.get(reading);
  if (past === undefined) {
    past = pastOf(reading);
    known.set(reading, past);
  }
  return past.has(id.slice(0, abbreviation).toLowerCase());
}

function pastOf(reading: Reading): ReadonlySet<string> {
  const { parts } = reading.rollout;
  const past = new Set<string>();
  const take = (text: string): void => {
    for (const [id] of text.matchAll(commitId)) past.add(id.slice(0, abbreviation));
  };
  for (const [index, part] of parts.entries()) {
    if ((part.role === 'user' || part.role === 'system') && !part.compactionSummary) take(part.text);
    else if (part.kind === 'observation') {
      const call = reading.callOf(index);
      const text = call === undefined ? '' : (parts[call]?.text ?? '');
      if (pastOfHead.test(text) && !beyondHead.test(text)) take(part.text);
    }
  }
  return past;
}
