// The reward of a rollout whose samples each carry one. Conventions clash: some trainers give every sibling the full
// reward, others split it. The values are kept per sample and never summed; what looks like a split is said.

import type { AlertDraft, Json } from '../../contract/ingest.ts';
import { isMap, type PickleMap, type PickleValue, toJson } from '../pickle-values.ts';
import type { SlimeSample } from './slime-sample.ts';
import type { TrainRecord } from './slime-train.ts';

export interface SettledReward {
  /** What the trainer fed to its estimator for each sample of the rollout; null when it is not known. */
  readonly terminal: number | null;
  readonly detail: Json;
  readonly alerts: readonly AlertDraft[];
}

/** Keys under which a reward dict usually holds the value that is trained on (slime: `--reward-key`). */
const usualKeys = ['score', 'reward', 'total_reward', 'total', 'overall', 'final', 'accuracy', 'acc', 'correct'];

/** The plain rewards of rollouts with a single sample: against them a split reward shows. */
export function singleRewards(rollouts: readonly (readonly SlimeSample[])[]): ReadonlySet<number> {
  const values = new Set<number>();
  for (const [sample, second] of rollouts) {
    if (sample === undefined || second !== undefined) continue;
    const value = isMap(sample.reward) ? valueIn(sample.reward, keyOf(sample.reward, null)) : numberOf(sample.reward);
    if (value !== null) values.add(value);
  }
  return values;
}

/**
 * The reward of one rollout. `train` gives the record of the train dump for a sample, if there is one; `singles` the
 * rewards of rollouts with one sample.
 */
export function settleReward(
  rollout: string,
  samples: readonly SlimeSample[],
  train: (sample: SlimeSample) => TrainRecord | undefined,
  singles: ReadonlySet<number>,
): SettledReward {
  const alerts: AlertDraft[] = [];
  const trained = samples.map((sample) => train(sample));
  const first = samples[0]?.reward ?? null;
  const key = isMap(first) ? keyOf(first, trained[0]?.rawReward ?? null) : null;
  const values = samples.map((sample) =>
    isMap(sample.reward) ? valueIn(sample.reward, key) : numberOf(sample.reward),
  );
  if (isMap(first) && key === null) {
    alerts.push({
      kind: 'reward-key',
      severity: 'warning',
      message: `Rollout ${rollout}: its reward is a dict (${[...first.keys()].map(String).join(', ')}) and nothing says which value was trained on; the reward is unknown.`,
    });
  }
  const terminal = values.at(-1) ?? null;
  const same = values.every((value) => value === terminal);
  let shared: string | null = null;
  if (samples.length > 1 && terminal !== null) {
    const whole = terminal * samples.length;
    const raw = samples.map((sample) => numberOf(sample.metadata.get('raw_reward') ?? null)).find((r) => r !== null);
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
    if (!same) shared = 'per_sample';
    else if (raw !== undefined && terminal !== 0 && near(whole, raw)) shared = 'split';
    else if (raw !== undefined && near(terminal, raw)) shared = 'full';
    else if (singles.has(terminal)) shared = 'full';
    else if (terminal !== 0 && [...singles].some((single) => near(whole, single))) shared = 'split';
    if (shared === 'split') {
      alerts.push({
        kind: 'reward-split',
        severity: 'warning',
        message: `Rollout ${rollout}: each of its ${samples.length} samples carries ${terminal}, which looks like ${Number(whole.toPrecision(12))} split over them. The value per sample was kept.`,
      });
    } else if (shared === 'per_sample') {
      alerts.push({
        kind: 'reward-split',
        severity: 'warning',
        message: `Rollout ${rollout}: its samples carry different rewards (${values.join(', ')}). The last one stands for the rollout; all are kept.`,
      });
    }
  }
  const detail: [string, Json][] = [['samples', samples.map((sample) => toJson(sample.reward))]];
  if (shared !== null) detail.push(['shared', shared]);
  if (isMap(first)) detail.push(['components', toJson(first)]);
  if (key !== null) detail.push(['key', key]);
  const rawRewards = samples.map((sample) => toJson(sample.metadata.get('raw_reward') ?? null));
  if (rawRewards.some((raw) => raw !== null)) detail.push(['raw', rawRewards]);
  if (trained.some((record) => record !== undefined)) {
    detail.push(['trainRaw', trained.map((record) => record?.rawReward ?? null)]);
    detail.push(['normalized', trained.map((record) => record?.reward ?? null)]);
  }
  return { terminal, detail: Object.fromEntries(detail), alerts };
}

/** The key of the trained value: the only one, the one the train dump confirms, or a usual name. */
function keyOf(reward: PickleMap, raw: number | null): string | null {
  const numeric = [...reward].flatMap(([key, value]) =>
    typeof key === 'string' && numberOf(value) !== null ? [key] : [],
  );
  if (numeric.length === 1) return numeric[0] ?? null;
  const usual = usualKeys.filter((key) => numeric.includes(key));
  if (raw === null) return usual[0] ?? null;
  const confirmed = [...usual, ...numeric].filter((key) => valueIn(reward, key) === raw);
  return confirmed[0] ?? usual[0] ?? null;
}

function valueIn(reward: PickleMap, key: string | null): number | null {
  return key === null ? null : numberOf(reward.get(key) ?? null);
}

function numberOf(value: PickleValue): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
