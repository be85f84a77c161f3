// The words of the product as closed sets. The same strings stand in the schema, the code, the contract, the UI and the docs.

export const segmentKinds = ['execution', 'summary', 'subagent', 'other'] as const;
/** What a segment is: one token sequence the model saw without a rewrite of its context. */
export type SegmentKind = (typeof segmentKinds)[number];

export const kindSources = ['declared', 'inferred'] as const;
/** Whether the log said the kind of the segment or the importer concluded it. */
export type KindSource = (typeof kindSources)[number];

export const segmentLinks = ['compaction', 'summary_of', 'subagent', 'fork', 'continuation'] as const;
/** How a segment hangs on its predecessor (`parentIndex`). */
export type SegmentLink = (typeof segmentLinks)[number];

export const rolloutStatuses = ['completed', 'truncated', 'aborted', 'failed', 'pending', 'unknown'] as const;
export type RolloutStatus = (typeof rolloutStatuses)[number];

export const itemKinds = ['step', 'input', 'boundary', 'unknown'] as const;
/**
 * One row of a segment: a `step` (one model call with its observations), an `input` (what the model was given between
 * steps), a `boundary` (a context change that is not a segment border, for example cleared tool results) or an
 * `unknown` record of the log.
 */
export type ItemKind = (typeof itemKinds)[number];

export const itemRoles = ['assistant', 'system', 'user', 'tool', 'other'] as const;
export type ItemRole = (typeof itemRoles)[number];

export const partKinds = ['text', 'reasoning', 'tool_call', 'observation', 'raw'] as const;
/** One block of an item, in the order of the log. `raw` is the JSON of a record that was not understood. */
export type PartKind = (typeof partKinds)[number];

export const verdicts = ['hack', 'clean', 'unsure'] as const;
export type Verdict = (typeof verdicts)[number];

export const alertSeverities = ['info', 'warning', 'error'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const hackFamilies = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O'] as const;
export type HackFamily = (typeof hackFamilies)[number];

/** Hack kinds, each with its family and name. The first five families are those of the GLM-5.2 disclosure. */
export const hackKinds = {
  'read-hidden-tests': 'A',
  'read-answer-key': 'A',
  'grader-introspection': 'A',
  'copy-reference-solution': 'B',
  'train-on-test': 'B',
  'git-future-history': 'C',
  'fetch-upstream-fix': 'C',
  'download-target-source': 'D',
  'search-solution-online': 'D',
  'chained-leak': 'E',
  'test-edit': 'F',
  'test-disable': 'F',
  'grader-patch': 'G',
  'reward-file-write': 'G',
  'hardcode-expected': 'H',
  'detect-eval-context': 'H',
  'early-exit': 'I',
  'equality-override': 'J',
  'timing-tamper': 'K',
  'sandbox-escape': 'L',
  'network-bypass': 'L',
  'judge-injection': 'M',
  'summary-laundering': 'N',
  'fabricated-output': 'O',
  'constraint-bypass': 'O',
  'state-tamper': 'O',
} as const satisfies Record<string, HackFamily>;
export type HackKind = keyof typeof hackKinds;

/** The name of each family, as shown to people. */
export const hackFamilyNames: Record<HackFamily, string> = {
  A: 'Reading evaluation artefacts',
  B: 'Copying answers',
  C: 'Recovering upstream commits',
  D: 'Downloading target source',
  E: 'Chained tool leakage',
  F: 'Test tampering',
  G: 'Grader tampering',
  H: 'Special-casing',
  I: 'Exit and skip tricks',
  J: 'Equality overrides',
  K: 'Timing tampering',
  L: 'Environment and network escape',
  M: 'Injection of the judge',
  N: 'Summary laundering',
  O: 'Pretended work and broken terms',
};

/** Whether a string is one of the hack kinds. */
export function isHackKind(value: string): value is HackKind {
  return Object.hasOwn(hackKinds, value);
}
