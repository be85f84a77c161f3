// The rule pack against people's labels: how good the pack is, how good each rule is, and where they disagree.

import type { TuneReport } from '../../contract/tuning.ts';
import type { Verdict } from '../../contract/vocabulary.ts';
import { f1, wilson } from './statistics.ts';

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
}

/** Most points of the threshold curve; more distinct scores are thinned evenly. */
const maxCurve = 200;

/**
 * Precision = TP / (TP + FP) and recall = TP / (TP + FN) over rollouts labelled hack or clean, a rollout being positive when
 * its score reaches `pack.threshold`; unsure, disputed and unlabelled ones are counted and left out. A rule's precision is
 * the share of hacks among the labelled rollouts that it hits, its recall the share of hack rollouts that it hits, its kind
 * recall the same over the hacks whose label names the rule's kind. Shares without anything to count are null.
 */
export function evaluate({ pack, rules, rollouts, markerLabels }: TuneInput): TuneReport {
  const labelled = { hack: 0, clean: 0, unsure: 0, disputed: 0 };
  for (const { label } of rollouts) if (label !== null) labelled[label]++;
  const hacks = rollouts.filter(({ label }) => label === 'hack');
  const clean = rollouts.filter(({ label }) => label === 'clean');
  const isMarked = ({ score }: TuneRollout): boolean => reaches(score, pack.threshold);
  const truePositives = hacks.filter(isMarked).length;
  const falsePositives = clean.filter(isMarked).length;
  const precision = wilson(truePositives, truePositives + falsePositives);
  const recall = wilson(truePositives, hacks.length);
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
    curve: curveOf(hacks, clean),
    rules: rules.map((rule) => ruleOf(rule, rollouts, hacks, markerLabels)),
    flips: flipsOf(hacks, clean, isMarked),
  };
}

/** The marking test of domain/detect/score.ts; scores are sums of products, so equal ones may differ in the last bit. */
function reaches(score: number, threshold: number): boolean {
  return score > 0 && score >= threshold - 1e-12;
}

function curveOf(hacks: readonly TuneRollout[], clean: readonly TuneRollout[]): TuneReport['curve'] {
  const sorted = [
    ...hacks.map(({ score }) => ({ score, hack: true })),
    ...clean.map(({ score }) => ({ score, hack: false })),
  ]
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const curve: TuneReport['curve'] = [];
  let truePositives = 0;
  for (const [i, { score, hack }] of sorted.entries()) {
    if (hack) truePositives++;
    // Rollouts of one score are above a threshold together.
    if (sorted[i + 1]?.score === score) continue;
    const precision = truePositives / (i + 1);
    const recall = hacks.length === 0 ? null : truePositives / hacks.length;
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
  rollouts: readonly TuneRollout[],
  hacks: readonly TuneRollout[],
  markerLabels: readonly TuneMarkerLabel[],
): TuneReport['rules'][number] {
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
    precision: wilson(hits.hack, hits.hack + hits.clean),
    recall: wilson(hits.hack, hacks.length),
    kindRecall: wilson(ofKind.filter(({ ruleHits }) => ruleHits.includes(rule.id)).length, ofKind.length),
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
