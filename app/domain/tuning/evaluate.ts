// The rule pack against people's labels: how good the pack is, how good each rule is, and where they disagree.

import type { Proportion } from '../../contract/records.ts';
import type { TuneReport } from '../../contract/tuning.ts';
import type { Verdict } from '../../contract/vocabulary.ts';
import { f1, wilson } from './statistics.ts';
import { weightedQuality, weightedShare } from './weighted.ts';

/** A scanned rollout with the label in force, if there is one. */
export interface TuneRollout {
  readonly id: string;
  /** 0..1, as domain/detect/score.ts makes it. */
  readonly score: number;
  readonly kinds: readonly string[];
  readonly label: Verdict | 'disputed' | null;
  /** Kinds that the labels of a hack name; may be empty. */
  readonly labelKinds: readonly string[];
  /** Ids of the rules with at least one marker in the rollout. */
  readonly ruleHits: readonly string[];
}

/** A verdict that a person gave on a marker directly. */
interface TuneMarkerLabel {
  readonly rule: string;
  readonly verdict: Verdict | 'disputed';
}

interface TuneRule {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly weak: boolean;
}

export interface TuneInput {
  readonly pack: { readonly id: string; readonly version: string; readonly threshold: number };
  readonly rules: readonly TuneRule[];
  readonly rollouts: readonly TuneRollout[];
  readonly markerLabels: readonly TuneMarkerLabel[];
  /** Chance in 0..1 that each labelled rollout had to be labelled, by its id: figures are weighted by 1/chance. */
  readonly chances?: ReadonlyMap<string, number>;
}

/** A rollout labelled hack or clean that counts, with the number of rollouts that it stands for. */
interface Case extends TuneRollout {
  readonly weight: number;
}

/** Most points of the threshold curve; more distinct scores are thinned evenly. */
const maxCurve = 200;

/**
 * Precision = TP / (TP + FP) and recall = TP / (TP + FN) over rollouts labelled hack or clean, a rollout being positive when
 * its score reaches `pack.threshold`; unsure, disputed and unlabelled ones are counted and left out. A rule's precision is
 * the share of hacks among the labelled rollouts that it hits, its recall the share of hack rollouts that it hits, its kind
 * recall the same over the hacks whose label names the rule's kind. Shares without anything to count are null.
 *
 * With `chances` the shares are weighted (weighted.ts) over the labelled rollouts whose chance is known; counts stay counts.
 */
export function evaluate({ pack, rules, rollouts, markerLabels, chances }: TuneInput): TuneReport {
  const labelled = { hack: 0, clean: 0, unsure: 0, disputed: 0 };
  for (const { label } of rollouts) if (label !== null) labelled[label]++;
  const cases = rollouts.flatMap((rollout) => casesOf(rollout, chances));
  const hacks = cases.filter(({ label }) => label === 'hack');
  const clean = cases.filter(({ label }) => label === 'clean');
  const isMarked = ({ score }: TuneRollout): boolean => reaches(score, pack.threshold);
  const truePositives = hacks.filter(isMarked).length;
  const falsePositives = clean.filter(isMarked).length;
  const weighted =
    chances === undefined
      ? null
      : weightedQuality(
          cases.map((one) => ({
            hack: one.label === 'hack',
            marked: isMarked(one),
            probability: 1 / one.weight,
          })),
        );
  const precision = weighted?.precision ?? wilson(truePositives, truePositives + falsePositives);
  const recall = weighted?.recall ?? wilson(truePositives, hacks.length);
  return {
    pack: { id: pack.id, version: pack.version, threshold: pack.threshold },
    labelled,
    overall: {
      precision,
      recall,
      f1: f1(precision.value, recall.value),
      truePositives,
      falsePositives,
      falseNegatives: hacks.length - truePositives,
      trueNegatives: clean.length - falsePositives,
    },
    weighting:
      weighted === null
        ? null
        : {
            cases: cases.length,
            unknown: labelled.hack + labelled.clean - cases.length,
            population: weighted.population,
            prevalence: weighted.prevalence,
          },
    curve: curveOf(hacks, clean),
    rules: rules.map((rule) => ruleOf(rule, { rollouts, hacks, clean, markerLabels, isWeighted: weighted !== null })),
    flips: flipsOf(hacks, clean, isMarked),
  };
}

/** The rollout as a case when it is labelled hack or clean and, where chances count, its chance is known. */
function casesOf(rollout: TuneRollout, chances: TuneInput['chances']): Case[] {
  if (rollout.label !== 'hack' && rollout.label !== 'clean') return [];
  if (chances === undefined) return [{ ...rollout, weight: 1 }];
  const chance = chances.get(rollout.id) ?? 0;
  return chance > 0 ? [{ ...rollout, weight: 1 / chance }] : [];
}

/** The marking test of domain/detect/score.ts; scores are sums of products, so equal ones may differ in the last bit. */
function reaches(score: number, threshold: number): boolean {
  return score > 0 && score >= threshold - 1e-12;
}

function curveOf(hacks: readonly Case[], clean: readonly Case[]): TuneReport['curve'] {
  const sorted = [
    ...hacks.map(({ score, weight }) => ({ score, weight, hack: true })),
    ...clean.map(({ score, weight }) => ({ score, weight, hack: false })),
  ]
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const curve: TuneReport['curve'] = [];
  const allHacks = hacks.reduce((sum, { weight }) => sum + weight, 0);
  let truePositives = 0;
  let above = 0;
  for (const [i, { score, weight, hack }] of sorted.entries()) {
    above += weight;
    if (hack) truePositives += weight;
    // Rollouts of one score are above a threshold together.
    if (sorted[i + 1]?.score === score) continue;
    const precision = truePositives / above;
    const recall = allHacks === 0 ? null : truePositives / allHacks;
    curve.push({ threshold: score, precision, recall, f1: f1(precision, recall), marked: i + 1 });
  }
  if (curve.length <= maxCurve) return curve;
  const stride = (curve.length - 1) / (maxCurve - 1);
  return Array.from({ length: maxCurve }, (_, i) => curve[Math.round(i * stride)]).filter(
    (point) => point !== undefined,
  );
}

function ruleOf(
  rule: TuneRule,
  evidence: {
    readonly rollouts: readonly TuneRollout[];
    readonly hacks: readonly Case[];
    readonly clean: readonly Case[];
    readonly markerLabels: readonly TuneMarkerLabel[];
    readonly isWeighted: boolean;
  },
): TuneReport['rules'][number] {
  const { rollouts, hacks, clean, markerLabels, isWeighted } = evidence;
  const isHit = ({ ruleHits }: TuneRollout): boolean => ruleHits.includes(rule.id);
  const share = (of: readonly Case[], hit: (one: Case) => boolean): Proportion =>
    isWeighted
      ? weightedShare(of.map((one) => ({ hit: hit(one), weight: one.weight })))
      : wilson(of.filter(hit).length, of.length);
  const hits = { hack: 0, clean: 0, unlabelled: 0 };
  for (const { label, ruleHits } of rollouts) {
    if (!ruleHits.includes(rule.id)) continue;
    if (label === 'hack' || label === 'clean') hits[label]++;
    else hits.unlabelled++;
  }
  const ofKind = hacks.filter(({ labelKinds }) => labelKinds.includes(rule.kind));
  const own = markerLabels.filter((label) => label.rule === rule.id);
  return {
    rule: rule.id,
    title: rule.title,
    kind: rule.kind,
    weak: rule.weak,
    hits,
    precision: share([...hacks, ...clean].filter(isHit), ({ label }) => label === 'hack'),
    recall: share(hacks, isHit),
    kindRecall: share(ofKind, isHit),
    confirmed: own.filter(({ verdict }) => verdict === 'hack').length,
    rejected: own.filter(({ verdict }) => verdict === 'clean').length,
  };
}

/** Misses by rising score after false alarms by falling score: the worst disagreement of each sort first. */
function flipsOf(
  hacks: readonly TuneRollout[],
  clean: readonly TuneRollout[],
  isMarked: (rollout: TuneRollout) => boolean,
): TuneReport['flips'] {
  const alarms = clean.filter(isMarked).toSorted((a, b) => b.score - a.score);
  const misses = hacks.filter((rollout) => !isMarked(rollout)).toSorted((a, b) => a.score - b.score);
  return [...alarms, ...misses].map((rollout) => ({
    rollout: rollout.id,
    label: rollout.label ?? '',
    score: rollout.score,
    marked: isMarked(rollout),
    kinds: [...rollout.kinds],
  }));
}
