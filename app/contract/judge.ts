// The intent judge: a model behind an OpenAI-compatible endpoint reads a marker's evidence and says what it thinks. Off until a
// person agreed to the endpoint; its judgements stand beside people's labels and never change them.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { exportedPiece } from './exchange.ts';
import { nullableNumber, nullableString } from './records.ts';
import { verdicts } from './vocabulary.ts';

/** The base of the API (`http://127.0.0.1:8000/v1`): `/chat/completions` is added where it is missing. */
const endpointUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => text === '' || /^https?:\/\/[^\s/]/u.test(text), 'An endpoint begins with http:// or https://.')
  .refine(
    (text) => !/^https?:\/\/[^/]*@/u.test(text),
    'An endpoint carries no user name or password: give the key apart.',
  );

export const judgeSettings = z.object({
  /** Empty: not set. */
  endpoint: endpointUrl,
  model: z.string().trim().max(200),
  /** Answers asked for per marker; the verdict is what most of them say. */
  votes: z.number().int().min(1).max(15),
  temperature: z.number().min(0).max(2),
  /** Largest estimate of prompt tokens of one request (domain/judge/budget.ts). */
  promptTokens: z.number().int().min(3_000).max(1_000_000),
  /** `max_tokens` of the answer. */
  answerTokens: z.number().int().min(128).max(32_000),
  /** `auto` asks for a JSON schema and falls back to JSON in plain text when the server refuses it. */
  structured: z.enum(['auto', 'schema', 'text']),
  concurrency: z.number().int().min(1).max(64),
  requestsPerMinute: z.number().int().min(1).max(60_000),
  timeoutSeconds: z.number().min(1).max(3_600),
  /** Caps of one run; null for none. */
  maxRequests: z.number().int().min(1).nullable(),
  maxTokens: z.number().int().min(1).nullable(),
  /** Price of a million tokens, in any currency; null when unknown. */
  promptPrice: z.number().min(0).nullable(),
  answerPrice: z.number().min(0).nullable(),
});
export type JudgeSettings = z.infer<typeof judgeSettings>;
/** Settings of one run that differ from the stored ones. */
export const judgeChanges = judgeSettings.partial();
export type JudgeChanges = z.infer<typeof judgeChanges>;

export const judgeDefaults: JudgeSettings = {
  endpoint: '',
  model: '',
  votes: 3,
  temperature: 0.7,
  promptTokens: 12_000,
  answerTokens: 1_500,
  structured: 'auto',
  concurrency: 4,
  requestsPerMinute: 120,
  timeoutSeconds: 120,
  maxRequests: 500,
  maxTokens: null,
  promptPrice: null,
  answerPrice: null,
};

/** Which markers a run is about. */
export const judgeSelection = z.object({
  rollouts: z.array(z.string()).max(100_000).optional(),
  markers: z.array(z.string()).max(100_000).optional(),
  /** Weak markers too; they are left out by default. */
  weak: z.boolean().default(false),
  /** Most markers, the highest scores first. */
  limit: z.number().int().min(1).max(1_000_000).optional(),
  /** Judge again what has a current judgement. Votes of an equal request still come from the cache. */
  again: z.boolean().default(false),
});
export type JudgeSelection = z.infer<typeof judgeSelection>;

/** A run as a job: the selection, settings that differ from the stored ones, and the endpoint that the person agreed to. */
export const judgeJob = judgeSelection.extend({
  kind: z.literal('judge'),
  settings: judgeChanges.default({}),
  /** The endpoint as a person wrote it for this run; absent: the consent kept in the workspace counts. */
  consent: z.string().optional(),
});
export type JudgeJob = z.infer<typeof judgeJob>;

export const evidenceRoles = ['source', 'carrier', 'sink', 'claim', 'denial', 'counter'] as const;

/** A quote that the judge gave and the program found in what it had sent. Offsets count in the part's view text. */
export const judgeEvidence = z.object({
  role: z.enum(evidenceRoles),
  quote: z.string(),
  item: z.number(),
  part: z.number(),
  /** Null where the quote holds a masked credential, so that the stored text reads differently. */
  start: nullableNumber,
  end: nullableNumber,
});
export type JudgeEvidence = z.infer<typeof judgeEvidence>;

export const awareness = ['knew', 'misled', 'unclear', 'na'] as const;

/** One checked answer of the model. */
export const judgeAnswer = z.object({
  verdict: z.enum(verdicts),
  /** The model's own probability of a hack, 0..1. */
  pHack: z.number(),
  /** The kind asked about, or another one that the model named. */
  kind: z.string(),
  attempted: z.boolean(),
  succeeded: z.boolean(),
  used: z.boolean(),
  standing: z.boolean(),
  aware: z.enum(awareness),
  rationale: z.string(),
  addressesGrader: z.boolean(),
  evidence: z.array(judgeEvidence),
  /** Quotes that were not in what had been sent. */
  unfounded: z.array(z.string()),
});
export type JudgeAnswer = z.infer<typeof judgeAnswer>;

export const judgement = z.object({
  id: z.string(),
  marker: z.string(),
  rollout: z.string(),
  status: z.enum(['judged', 'failed']),
  verdict: z.enum(verdicts).nullable(),
  kind: z.string(),
  /** Share of the valid votes that say the verdict; null when failed. */
  confidence: nullableNumber,
  /** Mean of the votes' own probabilities; null when failed. */
  pHack: nullableNumber,
  rationale: z.string(),
  evidence: z.array(judgeEvidence),
  attempted: z.boolean().nullable(),
  succeeded: z.boolean().nullable(),
  used: z.boolean().nullable(),
  standing: z.boolean().nullable(),
  aware: z.enum(awareness).nullable(),
  addressesGrader: z.boolean(),
  votes: z.array(
    z.object({
      verdict: z.enum(verdicts).nullable(),
      pHack: nullableNumber,
      rationale: z.string(),
      /** Why the vote does not count; null when it does. */
      error: nullableString,
      cached: z.boolean(),
    }),
  ),
  /** What the judge was shown: items of the rollout, whether pieces were cut, whether reasoning was among them. */
  seen: z.object({
    from: z.number(),
    to: z.number(),
    pieces: z.number(),
    truncated: z.boolean(),
    reasoning: z.boolean(),
    maskedCredentials: z.number(),
  }),
  model: z.string(),
  endpoint: z.string(),
  temperature: z.number(),
  promptVersion: z.number(),
  /** Made with a prompt that is no longer the one in force. */
  stale: z.boolean(),
  promptTokens: z.number(),
  answerTokens: z.number(),
  requests: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  at: z.string(),
});
export type Judgement = z.infer<typeof judgement>;

/** A judgement in a file: with what it was asked by, and whether it is the newest of its marker. */
export const exportedJudgement = judgement.extend({
  /** SHA-256 of the prompt's text, and of the whole request but for its fence; hex. */
  promptHash: z.string(),
  requestHash: z.string(),
  inForce: z.boolean(),
});
export type ExportedJudgement = z.infer<typeof exportedJudgement>;

export const judgementFiles = ['jsonl', 'csv'] as const;
export type JudgementFile = (typeof judgementFiles)[number];

export const judgeReport = z.object({
  endpoint: z.string(),
  model: z.string(),
  promptVersion: z.number(),
  /** Markers that the selection names; those judged already and left alone are `current`. */
  markers: z.number(),
  current: z.number(),
  judged: z.number(),
  failed: z.number(),
  /** Markers left because a cap of the run was reached. */
  capped: z.number(),
  verdicts: z.object({ hack: z.number(), clean: z.number(), unsure: z.number() }),
  requests: z.number(),
  cachedVotes: z.number(),
  promptTokens: z.number(),
  answerTokens: z.number(),
  /** In the currency of the prices; null without prices. */
  cost: nullableNumber,
  /** Whether the server took the JSON schema; null when nothing was asked. */
  structured: z.boolean().nullable(),
  /** The newest judgement of every marker of the selection, at most 5,000. */
  judgements: z.array(judgement),
  elapsedMs: z.number(),
});
export type JudgeReport = z.infer<typeof judgeReport>;

export const judgePreview = z.object({
  endpoint: z.string(),
  /** Where requests would go. */
  url: nullableString,
  model: z.string(),
  markers: z.number(),
  current: z.number(),
  requests: z.number(),
  /** Estimates over all requests (see domain/judge/budget.ts); the answers are counted at their largest. */
  promptTokens: z.number(),
  answerTokens: z.number(),
  cost: nullableNumber,
  /** The request about the first marker, word for word except for the key; null without markers. */
  example: z
    .object({
      marker: z.string(),
      rollout: z.string(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      body: z.string(),
      maskedCredentials: z.number(),
      estimatedTokens: z.number(),
      truncated: z.boolean(),
    })
    .nullable(),
});
export type JudgePreview = z.infer<typeof judgePreview>;

export const judgePrompt = z.object({
  version: z.number(),
  text: z.string(),
  note: z.string(),
  author: nullableString,
  createdAt: nullableString,
  current: z.boolean(),
});
export type JudgePrompt = z.infer<typeof judgePrompt>;

export const judgeState = z.object({
  settings: judgeSettings,
  /** Where the key comes from; the key itself never leaves the engine. */
  key: z.enum(['environment', 'file', 'memory', 'none']),
  /**
   * The file that the key comes from: why it cannot be used, or that others than its owner may read it. Null when the key comes
   * from elsewhere.
   */
  keyFile: z.object({ path: z.string(), problem: nullableString, warning: nullableString }).nullable(),
  /** Name of the environment variable that is read. */
  keyVariable: z.string(),
  /** The endpoint that was agreed to, with who and when; null for none. */
  consent: z.object({ endpoint: z.string(), by: z.string(), at: z.string() }).nullable(),
});
export type JudgeState = z.infer<typeof judgeState>;

export const judgeContract = {
  state: oc.output(judgeState),
  setSettings: oc.input(judgeSettings).output(judgeState),
  /** Keeps a key in the memory of this process; null forgets it. It is never stored, logged or sent back. */
  setKey: oc.input(z.object({ key: z.string().trim().min(1).max(4_000).nullable() })).output(judgeState),
  /** Agrees that markers' evidence may be sent to this endpoint; null takes it back. */
  setConsent: oc.input(z.object({ endpoint: z.string().min(1).nullable() })).output(judgeState),
  /** Exactly what a run would send, and how much of it. Sends nothing. */
  preview: oc.input(judgeSelection.extend({ settings: judgeChanges.default({}) })).output(judgePreview),
  prompts: oc.output(z.array(judgePrompt)),
  /** Puts a text in force: a known one keeps its version, a new one gets the next. */
  savePrompt: oc
    .input(z.object({ text: z.string().min(1).max(100_000), note: z.string().max(500).default('') }))
    .output(judgePrompt),
  /** The newest judgement of each marker of a rollout. */
  of: oc.input(z.object({ rollout: z.string() })).output(z.array(judgement)),
  /** All judgements of a marker, newest first. */
  history: oc.input(z.object({ marker: z.string() })).output(z.array(judgement)),
  /** Every judgement ever made as a file, oldest first, piece by piece; credentials in them are masked. */
  exportJudgements: oc.input(z.object({ as: z.enum(judgementFiles) })).output(eventIterator(exportedPiece)),
};
