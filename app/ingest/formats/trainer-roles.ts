// What the samples of one rollout are to each other when a log has texts but no token ids: a summary is what one sample
// said last and a later one finds in its prompt as somebody else's words; a prompt that repeats all of an earlier
// sample goes on from it; anything else branches off.

import type { ItemDraft } from '../../contract/ingest.ts';
import type { SegmentKind, SegmentLink } from '../../contract/vocabulary.ts';
import { itemText } from './trainer-items.ts';

export interface TextSample {
  readonly prompt: readonly ItemDraft[];
  readonly response: readonly ItemDraft[];
  readonly declared: SegmentKind | null;
}

export interface TextRole {
  readonly kind: SegmentKind;
  readonly link: SegmentLink | null;
  readonly parentIndex: number | null;
  /** The last step of an execution sample is a summary. */
  readonly summaryAtTail: boolean;
  /** Text of the summary that stands in this sample's prompt. */
  readonly carried: string | null;
}

/** Shorter texts prove nothing: "Done." stands in many prompts. */
const shortestSummary = 40;

/** The role of each sample of one rollout, in the order of the log. */
export function textRoles(samples: readonly TextSample[]): TextRole[] {
  const said = samples.map(lastWords);
  const prompts = samples.map((sample) => sample.prompt.filter((item) => item.role !== 'assistant').map(normalText));
  const carriedFrom = samples.map((_, k) => {
    for (let from = k - 1; from >= 0; from--) {
      const words = said[from];
      if (words !== null && words !== undefined && prompts[k]?.some((prompt) => prompt.includes(words))) return from;
    }
    return null;
  });
  const quoted = new Set(carriedFrom.filter((from) => from !== null));
  const roles: TextRole[] = [];
  let previous: number | null = null;
  for (const [k, sample] of samples.entries()) {
    const steps = sample.response.filter((item) => item.kind === 'step').length;
    const kind = sample.declared ?? (quoted.has(k) && steps === 1 ? 'summary' : 'execution');
    const from = carriedFrom[k] ?? null;
    const carried = from === null ? null : (said[from] ?? null);
    const summaryAtTail = kind === 'execution' && quoted.has(k);
    let link: SegmentLink | null = null;
    let parentIndex = previous;
    if (previous !== null && kind !== 'execution') link = kind === 'summary' ? 'summary_of' : 'fork';
    else if (previous !== null) {
      const isNew = from !== null && !roles.some((role) => role.carried === carried && role.kind === 'execution');
      if (isNew) {
        link = 'compaction';
        if (roles[from]?.kind !== 'summary') parentIndex = from;
      } else if (continues(samples[previous], sample)) link = 'continuation';
      // Older turns dropped or their results cleared, the newest kept: a compaction without a summary.
      else link = isReduced(samples[previous], sample) ? 'compaction' : 'fork';
    }
    roles.push({ kind, link, parentIndex, summaryAtTail, carried });
    if (kind === 'execution') previous = k;
  }
  return roles;
}

/** The text of the last step without its reasoning and calls, white space collapsed; null when it is too short. */
function lastWords(sample: TextSample): string | null {
  const step = sample.response.findLast((item) => item.kind === 'step');
  if (step === undefined) return null;
  const words = collapse(
    step.parts
      .filter((part) => part.kind === 'text')
      .map((part) => part.text)
      .join('\n'),
  );
  return words.length < shortestSummary ? null : words;
}

/** Whether the prompt of a sample holds everything of an earlier one. */
function continues(earlier: TextSample | undefined, later: TextSample): boolean {
  if (earlier === undefined) return false;
  const whole = [...earlier.prompt, ...earlier.response].map(spokenText);
  const prompt = later.prompt.map(spokenText);
  return whole.length > 0 && whole.length <= prompt.length && whole.every((text, i) => text === prompt[i]);
}

/**
 * Whether the prompt of a sample is the context of an earlier one with something taken out: it begins the same, has the
 * last turn of the model, and lacks older turns or what their tools answered.
 */
function isReduced(earlier: TextSample | undefined, later: TextSample): boolean {
  const whole = [...(earlier?.prompt ?? []), ...(earlier?.response ?? [])];
  const last = whole.findLast((item) => item.role === 'assistant');
  const [first] = whole;
  const [opening] = later.prompt;
  if (first === undefined || last === undefined || opening === undefined) return false;
  if (spokenText(first) !== spokenText(opening)) return false;
  const words = new Set(later.prompt.map(ownText));
  if (ownText(last) === '' || !words.has(ownText(last))) return false;
  const texts = new Set(later.prompt.map(spokenText));
  return whole.some((item) => !texts.has(spokenText(item)));
}

/** Whether a text holds a summary, both with their white space collapsed. */
export function holds(text: string, summary: string): boolean {
  return collapse(text).includes(summary);
}

function normalText(item: ItemDraft): string {
  return collapse(itemText(item));
}

/** What an item says without its reasoning, which many harnesses drop from later prompts. */
function spokenText(item: ItemDraft): string {
  return partsText(item, (kind) => kind !== 'reasoning');
}

/** What the model itself said in an item: without its reasoning and without the results of its tools. */
function ownText(item: ItemDraft): string {
  return partsText(item, (kind) => kind === 'text' || kind === 'tool_call');
}

function partsText(item: ItemDraft, accepts: (kind: ItemDraft['parts'][number]['kind']) => boolean): string {
  return collapse(item.parts.flatMap((part) => (accepts(part.kind) ? part.text : [])).join('\n'));
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
