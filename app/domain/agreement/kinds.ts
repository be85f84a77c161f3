// Kind by kind: on how many units annotators name it, and how well they agree on it.

import type { AgreementKind } from '../../contract/agreement.ts';
import type { Coefficient } from '../../contract/coefficient.ts';
import { estimate, resample } from './bootstrap.ts';
import { krippendorffAlpha, type Ratings } from './coefficients.ts';
import { ratingsKey, specific } from './sample.ts';
import { byName, names, type Unit } from './units.ts';

/** Every kind that someone names on a shared unit, the most contested first. */
export function kindsOf(shared: readonly Unit[]): AgreementKind[] {
  const kinds = new Set(
    shared.flatMap(({ labels }) => labels.flatMap((label) => (label.verdict === 'hack' ? label.kinds : []))),
  );
  return [...kinds]
    .map((kind) => kindOf(kind, shared))
    .toSorted((a, b) => b.some - a.some || b.all - a.all || byName(a.kind, b.kind));
}

function kindOf(kind: string, shared: readonly Unit[]): AgreementKind {
  const ratings = namings(kind, shared);
  const sample = resample(ratings, ratingsKey);
  const pairs = new Map<string, AgreementKind['pairs'][number]>();
  for (const unit of shared) {
    for (const [at, first] of unit.labels.entries()) {
      for (const second of unit.labels.slice(at + 1)) {
        const [a, b] = [first.annotator, second.annotator];
        const key = JSON.stringify([a, b]);
        const pair = pairs.get(key) ?? { a, b, both: 0, onlyA: 0, onlyB: 0, neither: 0, positive: null };
        const byA = names(first, kind);
        const byB = names(second, kind);
        const field = byA ? (byB ? 'both' : 'onlyA') : byB ? 'onlyB' : 'neither';
        pairs.set(key, { ...pair, [field]: pair[field] + 1 });
      }
    }
  }
  return {
    kind,
    all: ratings.filter(([naming = 0, rest]) => naming > 0 && rest === 0).length,
    some: ratings.filter(([naming = 0, rest = 0]) => naming > 0 && rest > 0).length,
    positive: estimate(sample, specific(0)),
    alpha: estimate(sample, krippendorffAlpha),
    pairs: [...pairs.values()]
      .map((pair) => {
        const named = 2 * pair.both + pair.onlyA + pair.onlyB;
        return { ...pair, positive: named === 0 ? null : (2 * pair.both) / named };
      })
      .toSorted((one, other) => byName(one.a, other.a) || byName(one.b, other.b)),
  };
}

/** How many annotators of each unit name the kind, and how many do not. */
function namings(kind: string, units: readonly Unit[]): Ratings[] {
  return units.map(({ labels }) => {
    const naming = labels.filter((label) => names(label, kind)).length;
    return [naming, labels.length - naming];
  });
}

/** Agreement of annotators on one kind: 2a / (2a + b + c) over all pairs of annotators of a unit. */
export function agreementOnKind(kind: string, units: readonly Unit[]): Coefficient {
  return estimate(resample(namings(kind, units), ratingsKey), specific(0));
}
