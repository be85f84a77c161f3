// One request to an OpenAI-compatible endpoint, and what every way of going wrong means: again later, again without the schema, not
// for this marker, or not at all.

import { maskCredentials } from '../../domain/text/credentials.ts';
import { messageOf } from '../../shared/errors.ts';
import { withoutKey } from './judge-key.ts';

/** Bytes of a reply that are read; an answer is a few thousand. */
const replyMax = 4 * 1024 * 1024;
/** Characters of a server's own words that are told. */
const wordsMax = 240;

export interface AskRequest {
  readonly url: string;
  readonly key: string | null;
  readonly body: unknown;
  /** For the whole exchange, so that a server that drips does not hold a run. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface AskReply {
  readonly text: string;
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
}

type Means =
  /** The same request may do later. */
  | 'again'
  /** The request itself was refused; without the JSON schema it may do. */
  | 'refused'
  /** The model gave no usable answer to this request. */
  | 'answer'
  /** No request to this endpoint will do. */
  | 'stop';

/** Why a request gave no answer. `message` is fit to be stored and shown: no key, no credentials. */
export class AskError extends Error {
  readonly code: string;
  readonly means: Means;
  /** What the server asked to wait, milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(code: string, means: Means, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'AskError';
    this.code = code;
    this.means = means;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The address of chat completions under an API's base. */
export function chatUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/u, '');
  if (!path.endsWith('/chat/completions')) url.pathname = `${path === '' ? '/v1' : path}/chat/completions`;
  url.hash = '';
  return url.href;
}

/** The headers of a request. The key stands in one place. */
export function headersOf(key: string | null): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
}

/**
 * Asks once. Redirects are not followed: the person agreed to this address, not to another.
 * @throws AskError for everything that gave no answer; the reason of `signal` when it was aborted.
 */
export async function ask(request: AskRequest): Promise<AskReply> {
  const { key } = request;
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const said = (text: string): string =>
    maskCredentials(withoutKey(text.replace(/\s+/gu, ' ').trim().slice(0, 2_000), key)).text.slice(0, wordsMax);
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: headersOf(key),
      body: JSON.stringify(request.body),
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, deadline]),
    });
    const text = await bodyOf(response);
    if (!response.ok) throw statusError(response, said(text));
    return replyOf(response, text, key, said);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (error instanceof AskError) throw error;
    if (deadline.aborted) {
      throw new AskError('endpoint-timeout', 'again', `No complete answer within ${request.timeoutMs / 1000} s.`);
    }
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new AskError('endpoint-lost', 'again', said(`The connection failed: ${messageOf(error)}${cause}`));
  }
}

async function bodyOf(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > replyMax) {
      throw new AskError('reply-too-large', 'answer', `The reply is larger than ${replyMax / 1024 / 1024} MiB.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function statusError(response: Response, words: string): AskError {
  const { status } = response;
  const tail = words === '' ? '' : `: ${words}`;
  if (status >= 300 && status < 400) {
    return new AskError(
      'endpoint-redirected',
      'stop',
      `The endpoint sends requests on to another address (status ${status}).`,
    );
  }
  if (status === 401 || status === 403) {
    return new AskError('judge-key-refused', 'stop', `The endpoint refused the key (status ${status})${tail}`);
  }
  if (status === 404 || status === 405) {
    return new AskError(
      'endpoint-unknown',
      'stop',
      `The endpoint knows no such model or address (status ${status})${tail}`,
    );
  }
  if (status === 429 || status === 408 || status === 409 || status >= 500) {
    // 501 says that it will never do it: the schema, most likely.
    if (status === 501)
      return new AskError('endpoint-refused', 'refused', `The endpoint refused the request (501)${tail}`);
    const code = status === 429 ? 'endpoint-busy' : 'endpoint-failed';
    const wait = retryAfterOf(response.headers.get('retry-after'), Date.now());
    return new AskError(code, 'again', `The endpoint answered with status ${status}${tail}`, wait);
  }
  return new AskError('endpoint-refused', 'refused', `The endpoint refused the request (status ${status})${tail}`);
}

/** Milliseconds to wait by a Retry-After header: seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

function replyOf(response: Response, text: string, key: string | null, said: (text: string) => string): AskReply {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const type = response.headers.get('content-type') ?? 'no content type';
    const code = /json/iu.test(type) ? 'endpoint-broken' : 'endpoint-not-json';
    throw new AskError(code, 'again', `The endpoint answered with something that is no JSON (${said(type)}).`);
  }
  const error = field(json, 'error');
  const choices = field(json, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (choice === undefined) {
    const words = field(error, 'message');
    const tail = typeof words === 'string' ? `: ${said(words)}` : '';
    throw new AskError('endpoint-broken', 'again', `The endpoint’s answer has no choices${tail}`);
  }
  const message = field(choice, 'message');
  const refusal = field(message, 'refusal');
  const finish = field(choice, 'finish_reason');
  if ((typeof refusal === 'string' && refusal !== '') || finish === 'content_filter') {
    const words = typeof refusal === 'string' ? `: ${said(refusal)}` : '';
    throw new AskError('model-refused', 'answer', `The model declined to answer${words}`);
  }
  if (finish === 'length') {
    throw new AskError('reply-cut', 'answer', 'The answer was cut at its largest length. Allow more answer tokens.');
  }
  const content = field(message, 'content');
  const whole = Array.isArray(content) ? content.map((one) => field(one, 'text') ?? '').join('') : content;
  if (typeof whole !== 'string' || whole.trim() === '') {
    throw new AskError('reply-empty', 'answer', 'The model’s answer is empty.');
  }
  const usage = field(json, 'usage');
  return {
    text: withoutKey(whole, key),
    promptTokens: tokensOf(field(usage, 'prompt_tokens')),
    answerTokens: tokensOf(field(usage, 'completion_tokens')),
  };
}

function tokensOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
