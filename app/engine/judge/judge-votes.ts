// The votes of one run: a queue with the run's concurrency and rate, retries with backoff, one schema fallback for all, caps that
// end it, and every answer kept the moment it is there.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import pRetry, { AbortError } from 'p-retry';
import type { JudgeAnswer, JudgeSettings } from '../../contract/judge.ts';
import { answerSchema } from '../../domain/judge/prompt.ts';
import { readReply } from '../../domain/judge/reply.ts';
import { type JudgeCase, messagesOf } from '../../domain/judge/request.ts';
import { AskError, type AskReply, ask, chatUrl } from './judge-client.ts';

/** How patient a run is. Milliseconds. */
export interface JudgePace {
  /** Attempts after the first for what may pass by itself. */
  readonly retries: number;
  readonly firstDelayMs: number;
  /** Longest wait that a server's Retry-After is granted. */
  readonly longestWaitMs: number;
}

export const defaultPace: JudgePace = { retries: 4, firstDelayMs: 1_000, longestWaitMs: 120_000 };

/** A cap of the run was reached: the request was not made. */
export class CapReached extends Error {}

export interface Vote {
  readonly answer: JudgeAnswer | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly requests: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** Body of a request, as it is sent. */
export function bodyOf(
  asked: JudgeCase,
  settings: JudgeSettings,
  fence: string | undefined,
  structured: boolean,
  note = '',
) {
  const [system, user] = messagesOf(asked, fence);
  return {
    model: settings.model,
    messages: [system, { ...user, content: `${user?.content ?? ''}${note}` }],
    temperature: settings.temperature,
    max_tokens: settings.answerTokens,
    stream: false,
    ...(structured
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'judgement', strict: true, schema: answerSchema },
          },
        }
      : {}),
  };
}

const again =
  '\nAn earlier answer was not accepted: it lacked keys that were asked for, or quoted text that the named piece does not hold. Copy quotes exactly.';

export class VoteRun {
  readonly #settings: JudgeSettings;
  readonly #key: string | null;
  readonly #signal: AbortSignal;
  readonly #pace: JudgePace;
  readonly #queue: PQueue;
  #structured: boolean | null;
  #pausedUntil = 0;
  /** What the run used so far. */
  requests = 0;
  promptTokens = 0;
  answerTokens = 0;

  constructor(settings: JudgeSettings, key: string | null, signal: AbortSignal, pace: JudgePace) {
    this.#settings = settings;
    this.#key = key;
    this.#signal = signal;
    this.#pace = pace;
    this.#structured = settings.structured === 'auto' ? null : settings.structured === 'schema';
    this.#queue = new PQueue({
      concurrency: settings.concurrency,
      intervalCap: settings.requestsPerMinute,
      interval: 60_000,
      carryoverIntervalCount: true,
    });
  }

  /** Whether the server takes the JSON schema; null while unknown. */
  get structured(): boolean | null {
    return this.#structured;
  }

  /**
   * One vote. An answer that does not hold (shape, quotes) is asked for once more. What goes wrong with this vote alone is its
   * `error`.
   * @throws CapReached, the reason of the run's signal, and AskError with `stop`, which mean that there is no point in going on.
   */
  async vote(asked: JudgeCase): Promise<Vote> {
    const before = this.requests;
    const used = { promptTokens: 0, answerTokens: 0 };
    let error: Vote['error'] = null;
    for (const note of ['', again]) {
      try {
        const reply = await this.#ask(asked, note);
        used.promptTokens += reply.promptTokens ?? asked.estimatedTokens;
        used.answerTokens += reply.answerTokens ?? 0;
        const read = readReply(reply.text, asked.kind, asked.pieces);
        if (read.ok) return { answer: read.value, error: null, requests: this.requests - before, ...used };
        error = read.error;
      } catch (thrown) {
        if (!(thrown instanceof AskError) || thrown.means === 'stop') throw thrown;
        error = { code: thrown.code, message: thrown.message };
        break;
      }
    }
    return { answer: null, error, requests: this.requests - before, ...used };
  }

  /** A request with retries, and without the schema once the server refuses it. */
  async #ask(asked: JudgeCase, note: string): Promise<AskReply> {
    const structured = this.#structured ?? true;
    try {
      const reply = await this.#retried(asked, structured, note);
      if (structured) this.#structured = true;
      return reply;
    } catch (error) {
      const refused = error instanceof AskError && error.means === 'refused';
      // A server that took the schema before refuses this request for another reason.
      if (!refused || !structured || this.#settings.structured !== 'auto' || this.#structured === true) throw error;
      const reply = await this.#retried(asked, false, note);
      this.#structured = false;
      return reply;
    }
  }

  async #retried(asked: JudgeCase, structured: boolean, note: string): Promise<AskReply> {
    return pRetry(
      async () => {
        try {
          return await this.#queue.add(() => this.#once(asked, structured, note), { signal: this.#signal });
        } catch (error) {
          if (error instanceof AskError && error.means === 'again') throw error;
          throw error instanceof Error ? new AbortError(error) : error;
        }
      },
      {
        retries: this.#pace.retries,
        minTimeout: this.#pace.firstDelayMs,
        factor: 2,
        randomize: true,
        signal: this.#signal,
        onFailedAttempt: ({ error }) => {
          if (!(error instanceof AskError) || error.retryAfterMs === null) return;
          // What one request is told holds for all of them.
          const wait = Math.min(error.retryAfterMs, this.#pace.longestWaitMs);
          this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + wait);
        },
      },
    );
  }

  async #once(asked: JudgeCase, structured: boolean, note: string): Promise<AskReply> {
    const wait = this.#pausedUntil - Date.now();
    if (wait > 0) await delay(wait, undefined, { signal: this.#signal });
    const { maxRequests, maxTokens, endpoint, timeoutSeconds } = this.#settings;
    if (maxRequests !== null && this.requests >= maxRequests) throw new CapReached();
    if (maxTokens !== null && this.promptTokens + this.answerTokens + asked.estimatedTokens > maxTokens) {
      throw new CapReached();
    }
    this.requests += 1;
    let fence = randomBytes(8).toString('hex');
    while (asked.data.includes(fence) || asked.system.includes(fence)) fence = randomBytes(8).toString('hex');
    const reply = await ask({
      url: chatUrl(endpoint),
      key: this.#key,
      body: bodyOf(asked, this.#settings, fence, structured, note),
      timeoutMs: timeoutSeconds * 1000,
      signal: this.#signal,
    });
    this.promptTokens += reply.promptTokens ?? asked.estimatedTokens;
    this.answerTokens += reply.answerTokens ?? 0;
    return reply;
  }
}
