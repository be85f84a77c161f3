// What the samples of one slime rollout are to each other. A dump says nothing about it; the tokens do: a summary is what
// a sample sampled last and a later sibling finds in its prompt, in a message that is not the assistant's own turn.

import type { KindSource, SegmentKind, SegmentLink } from '../../contract/vocabulary.ts';
import type { NumberData } from '../numbers.ts';

/** A half-open range of tokens. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** The tokens of one sample; `runs` are its sampled spans (mask 1), positions in `tokens`. */
export interface SampleTokens {
  readonly tokens: NumberData;
  readonly promptLength: number;
  readonly runs: readonly Run[];
  /** The kind where the log declares it. */
  readonly declared: SegmentKind | null;
}

export interface SampleRole {
  readonly kind: SegmentKind;
  readonly kindSource: KindSource;
  readonly link: SegmentLink | null;
  readonly parentIndex: number | null;
  /** Tokens before and after the compaction that led here; null where there was none. */
  readonly contextBefore: number | null;
  readonly contextAfter: number | null;
  /** The last sampled span of an execution sample is a summary. */
  readonly summaryAtTail: boolean;
  /** The summary in this sample's prompt: which sibling wrote it and where it stands. */
  readonly carried: { readonly from: number; readonly span: Run } | null;
}

/** Shorter spans prove nothing: `ok` and an end marker stand in many prompts. */
const shortestSummary = 8;
/** Tokens at either end of a summary that a template may change (end marker, tags, line breaks). */
const slack = 4;
const longestHeader = 8;

/** The sampled spans of a mask over the response region, as positions in the whole sample. */
export function runsOf(mask: ArrayLike<number>, promptLength: number): Run[] {
  const runs: Run[] = [];
  let start = -1;
  for (let i = 0; i <= mask.length; i++) {
    const sampled = i < mask.length && mask[i] === 1;
    if (sampled && start < 0) start = i;
    if (!sampled && start >= 0) {
      runs.push({ start: start + promptLength, end: i + promptLength });
      start = -1;
    }
  }
  return runs;
}

/**
 * The tokens with which the chat template opens an assistant turn: the longest common ending (at most 8 tokens) of what
 * stands before the sampled spans of all samples of a dump. Empty when the spans have nothing in common.
 */
export function generationHeader(samples: readonly SampleTokens[]): readonly number[] {
  let header: number[] | null = null;
  for (const { tokens, runs } of samples) {
    for (const run of runs) {
      const before = [...tokens.subarray(Math.max(0, run.start - longestHeader), run.start)];
      if (header === null) {
        header = before;
        continue;
      }
      let same = 0;
      while (same < header.length && same < before.length && header.at(-1 - same) === before.at(-1 - same)) same++;
      header = header.slice(header.length - same);
    }
  }
  return header ?? [];
}

/** The role of each sample of one rollout, in the order of the dump. */
export function rolesOf(samples: readonly SampleTokens[], header: readonly number[]): SampleRole[] {
  const carried = samples.map((_, k) => carriedInto(samples, k, header));
  const quoted = new Set(carried.flatMap((c) => (c === null ? [] : [c.from])));
  const kinds = samples.map((sample, k): SegmentKind => {
    if (sample.declared !== null) return sample.declared;
    return quoted.has(k) && sample.runs.length === 1 ? 'summary' : 'execution';
  });
  const roles: SampleRole[] = [];
  let previous: number | null = null;
  for (const [k, sample] of samples.entries()) {
    const kind = kinds[k] ?? 'execution';
    const source = carried[k] ?? null;
    const base = {
      kind,
      kindSource: sample.declared === null ? ('inferred' as const) : ('declared' as const),
      contextBefore: null,
      contextAfter: null,
      summaryAtTail: kind === 'execution' && quoted.has(k),
      carried: source,
    };
    if (kind === 'execution' && previous !== null) {
      roles.push({ ...base, ...linkOf(samples, roles, source, k, previous) });
    } else if (previous !== null) {
      roles.push({ ...base, link: kind === 'summary' ? 'summary_of' : 'fork', parentIndex: previous });
    } else {
      roles.push({ ...base, link: null, parentIndex: null });
    }
    if (kind === 'execution') previous = k;
  }
  return roles;
}

/** The newest sibling before `k` whose last sampled span stands in the prompt of `k` as somebody else's words. */
function carriedInto(samples: readonly SampleTokens[], k: number, header: readonly number[]): SampleRole['carried'] {
  const target = samples[k];
  if (target === undefined) return null;
  const prompt = target.tokens.subarray(0, target.promptLength);
  for (let from = k - 1; from >= 0; from--) {
    const sample = samples[from];
    const run = sample?.runs.at(-1);
    if (sample === undefined || run === undefined) continue;
    const span = findSpan(prompt, sample.tokens.subarray(run.start, run.end));
    if (span === null) continue;
    const opening = header.length > 0 ? header : [...sample.tokens.subarray(Math.max(0, run.start - 3), run.start)];
    if (!endsWith(prompt.subarray(0, span.start), opening)) return { from, span };
  }
  return null;
}

function linkOf(
  samples: readonly SampleTokens[],
  roles: readonly SampleRole[],
  carried: SampleRole['carried'],
  k: number,
  previous: number,
): Pick<SampleRole, 'link' | 'parentIndex' | 'contextBefore' | 'contextAfter'> {
  const sample = samples[k];
  const before = samples[previous];
  const none = { contextBefore: null, contextAfter: null };
  if (sample === undefined || before === undefined) return { ...none, link: null, parentIndex: null };
  const compaction = (parent: number) => ({
    link: 'compaction' as const,
    parentIndex: parent,
    contextBefore: samples[parent]?.tokens.length ?? null,
    contextAfter: sample.promptLength,
  });
  // A declared summary just before, or a summary that the predecessor did not have yet: the context was rewritten.
  const last = roles.at(-1);
  if (last?.kind === 'summary' && last.kindSource === 'declared') return compaction(previous);
  if (carried !== null && carried.from !== roles[previous]?.carried?.from) {
    const writer = roles[carried.from];
    return compaction(writer?.kind === 'summary' ? (writer.parentIndex ?? previous) : carried.from);
  }
  const shared = commonPrefix(sample.tokens.subarray(0, sample.promptLength), before.tokens);
  if (shared === before.tokens.length) return { ...none, link: 'continuation', parentIndex: previous };
  // The same opening, a shorter context and not even the predecessor's first turn in it: a compaction whose summary was
  // not sampled here. A prompt that is wholly shared, or keeps those turns (perhaps shortened), only branches off.
  const prompt = sample.tokens.subarray(0, sample.promptLength);
  const [turn] = before.runs;
  const kept = turn !== undefined && findSpan(prompt, before.tokens.subarray(turn.start, turn.end)) !== null;
  const rewritten = shared >= shortestSummary && shared <= before.promptLength && shared < sample.promptLength && !kept;
  if (carried === null && rewritten && sample.promptLength < before.tokens.length) return compaction(previous);
  return { ...none, link: 'fork', parentIndex: previous };
}

/**
 * Where `needle` stands in `haystack`, up to a few tokens at its ends, or with its first half missing (reasoning is
 * often left out when a summary is carried over). Null when at least half of it cannot be found in one piece.
 */
export function findSpan(haystack: NumberData, needle: NumberData): Run | null {
  if (needle.length < shortestSummary) return null;
  const cut = needle.length >= 2 * shortestSummary + 2 * slack ? slack : 0;
  const tail = needle.length - cut;
  for (const from of new Set([0, cut, Math.floor(needle.length / 2)])) {
    if (tail - from < shortestSummary) continue;
    const at = indexOf(haystack, needle.subarray(from, tail));
    if (at < 0) continue;
    let start = at;
    for (let i = from - 1; i >= 0 && start > 0 && haystack[start - 1] === needle[i]; i--) start--;
    let end = at + tail - from;
    for (let i = tail; i < needle.length && end < haystack.length && haystack[end] === needle[i]; i++) end++;
    return { start, end };
  }
  return null;
}

function indexOf(haystack: NumberData, needle: NumberData): number {
  const first = needle[0];
  if (first === undefined) return -1;
  const last = haystack.length - needle.length;
  for (let at = haystack.indexOf(first); at >= 0 && at <= last; at = haystack.indexOf(first, at + 1)) {
    let i = 1;
    while (i < needle.length && haystack[at + i] === needle[i]) i++;
    if (i === needle.length) return at;
  }
  return -1;
}

function endsWith(tokens: NumberData, ending: readonly number[]): boolean {
  if (ending.length === 0 || ending.length > tokens.length) return false;
  return ending.every((token, i) => tokens[tokens.length - ending.length + i] === token);
}

function commonPrefix(a: NumberData, b: NumberData): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a[i] === b[i]) i++;
  return i;
}
