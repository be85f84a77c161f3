// A measured figure that creeps for some steps and then leaps: work improves things little by little, a leak all at once.

import { guards } from '../guards.ts';
import { kept } from '../kept.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, lineAround, matchAt, pairOf, runsOf } from './found.ts';

/** A figure of quality with its name: `acc 0.93`, `auc = .77`, `solved 122/200 (61.0 %)`, `agreement: 99.6%`. */
const figure =
  /\b(acc(?:uracy)?|auc|auroc|f1|em|bleu|rouge\w*|ndcg\S*|m?ap|mrr|agreement|score|solved|success(?:[_ ]rate)?|win(?:[_ ]?rate)?|reward|recall|precision|kappa|r2|iou|dice|pass(?:@1|[_ ]rate)|match(?:es|ed)?|hits?)\b["']?\s*(?:[:=]|is|of)?\s*(?:\d+\s*\/\s*\d+\s*\()?\s*(\d{0,3}(?:\.\d+)?)\s*(%|\))?/gi;
const figureGuard = guards.of(figure);
/** How much of the way to perfection one step must go: three fifths of what was left. */
const shareLeft = 0.4;
/** What a first figure is at least: from nothing every step is a leap. */
const lowest = 0.2;
const longestObservation = 20_000;

/** The first run in which a figure leaps, with the figure before. */
export function* scoreLeaps(reading: Reading): Generator<Found> {
  const { mentions } = reading.rollout;
  const runs = runsOf(reading);
  // A leap takes two figures of one name.
  if (runs.length < 2 || !mentions.admit(figureGuard, 'seen')) return;
  const before = new Map<string, { value: number; at: number; run: number }>();
  for (const [i, { observation, answer }] of runs.entries()) {
    if (observation.text.length > longestObservation || !mentions.admitPart(figureGuard, answer)) continue;
    for (const [name, { value, at }] of figuresIn(observation.text)) {
      const earlier = before.get(name);
      const source = earlier === undefined ? undefined : runs[earlier.run]?.observation;
      if (earlier !== undefined && source !== undefined && leaps(earlier.value, value)) {
        const unit = (reading.rollout.units.get('observation') ?? []).find(
          ({ part }) => part.item === observation.item && part.part === observation.part,
        );
        if (unit === undefined) continue;
        const line = lineAround(unit.text.text, at);
        const match = matchAt(unit, line.start, line.end);
        const from = lineAround(source.text, earlier.at);
        yield { match, chain: pairOf(hopAt('source', source, from.start, from.end), match) };
        return;
      }
      before.set(name, { value, at, run: i });
    }
  }
}

/** The last figure of each name in a text. */
const figuresIn = kept((text): ReadonlyMap<string, { readonly value: number; readonly at: number }> => {
  const seen = new Map<string, { value: number; at: number }>();
  for (const match of text.matchAll(figure)) {
    const value = shareOf(match[2] ?? '', match[3]);
    if (value !== null) seen.set((match[1] ?? '').toLowerCase(), { value, at: match.index });
  }
  return seen;
});

function leaps(earlier: number, value: number): boolean {
  return earlier >= lowest && earlier < 0.97 && value - earlier > 0.04 && 1 - value < (1 - earlier) * shareLeft;
}

/** The figure as a share of 1; null where it is none. */
function shareOf(digits: string, unit: string | undefined): number | null {
  if (!/\d/.test(digits)) return null;
  const value = Number(digits);
  if (digits.includes('.') && value <= 1) return value;
  return (unit === '%' || digits.includes('.')) && value > 1 && value <= 100 ? value / 100 : null;
}
