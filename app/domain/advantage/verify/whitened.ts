// The search for whitening: a log that is one affine map of right advantages over the batch, or one per shard.

import type { LambdaSpec } from '../lambda.ts';
import { type AffineFit, affineFit, isIdentity, isPureScale, isWhitening, type Sample, sameMap } from './affine.ts';
import { explains } from './compare.ts';
import { adaptiveOf, discountsOf, type Walked } from './estimate.ts';
import { type Explanation, figure } from './explain.ts';
import { runSetting } from './fits.ts';
import { type Discount, trainableSequence } from './sequences.ts';
import { type Setting, sameLambda, settingLabel, whitenedSetting } from './settings.ts';
import type { Trace } from './traces.ts';

/** Discounts that a whitened log suggests: estimated with the scale and shift of every segment left free. */
export function whitenedDiscounts(traces: readonly Trace[], gammas: readonly number[]): Discount[] {
  const walked = traces.flatMap((trace): Walked[] => {
    const sequences = trace.segments.map((segment) => trainableSequence(segment));
    const whole = sequences.filter((sequence) => sequence !== null);
    return whole.length === sequences.length ? [{ trace, sequences: whole }] : [];
  });
  const adaptive: LambdaSpec[] = walked.slice(0, 4).flatMap((one) => adaptiveOf(one, 'affine'));
  return [...discountsOf(walked, 'affine', gammas), ...adaptive.map((lambda) => ({ gamma: 1, lambda }))];
}

/** A fit that leaves less than this part of what another leaves is preferred to it; else the earlier setting is. */
const clearlyBetter = 0.9;

/**
 * Explanations by whitening for the rollouts of a batch: by the setting that leaves least over, the earlier one of two that
 * are about as good. Settings that whiten already are left out.
 */
export function whiteningOf(
  traces: readonly Trace[],
  settings: readonly Setting[],
  named: Discount | null,
): Map<Trace, Explanation> {
  const logged = traces.filter(({ tokens }) => tokens > 0);
  let best: { setting: Setting; affine: Affine; samples: readonly Sample[]; left: number } | null = null;
  for (const setting of settings) {
    if (setting.convention === 'whitened-globally') continue;
    const samples = samplesOf(setting, logged, traces);
    if (samples === null) continue;
    const affine = readAffine(samples);
    if (affine === null) continue;
    // A map for all is worth more than one for each.
    const left = Math.max(...affine.fits.map(({ residual, scale, deviation }) => residual / (scale * deviation)));
    const simpler = best !== null && best.affine.kind !== 'global' && affine.kind === 'global';
    const plainer = best !== null && best.affine.kind === 'global' && affine.kind !== 'global';
    if (best === null || simpler || (!plainer && left + 1e-7 < clearlyBetter * best.left))
      best = { setting, affine, samples, left };
  }
  if (best === null || best.affine.kind === 'scales') return new Map();
  const { setting, affine, samples } = best;
  return new Map(samples.map(({ trace }) => [trace, explanationOf(trace, setting, affine, logged, traces, named)]));
}

interface Affine {
  /** `scales`: a scale of its own for each rollout and no shift, which is not whitening. */
  readonly kind: 'global' | 'shards' | 'scales';
  readonly fits: readonly AffineFit[];
  readonly labelled: boolean;
}

/** All rollouts under a setting; null as soon as one is refused or is no affine map by itself. */
function samplesOf(setting: Setting, logged: readonly Trace[], batch: readonly Trace[]): Sample[] | null {
  const samples: Sample[] = [];
  for (const trace of logged) {
    const recomputed = runSetting(setting, trace, batch);
    if (recomputed === null) return null;
    const sample = { trace, recomputed };
    // Scalars of a group fit any line through two of them: only the batch can decide there.
    if (
      setting.estimator !== 'group' &&
      setting.scope === 'rollout' &&
      hasSpread(sample) &&
      affineFit([sample]) === null
    )
      return null;
    samples.push(sample);
  }
  return samples;
}

function hasSpread({ recomputed }: Sample): boolean {
  const distinct = new Set<number>();
  for (const column of recomputed.advantages) {
    for (const x of column) {
      distinct.add(x);
      if (distinct.size >= 3) return true;
    }
  }
  return false;
}

function readAffine(samples: readonly Sample[]): Affine | null {
  const whole = affineFit(samples);
  if (whole !== null) return isIdentity(whole) ? null : { kind: 'global', fits: [whole], labelled: false };
  const labels = new Set(samples.map(({ trace }) => trace.shard));
  if (labels.size > 1 && !labels.has(null)) {
    const fits = [...labels].map((label) => affineFit(samples.filter(({ trace }) => trace.shard === label)));
    const known = fits.filter((fit) => fit !== null);
    if (known.length === fits.length && known.some((fit) => !isIdentity(fit))) {
      return { kind: 'shards', fits: known, labelled: true };
    }
  }
  if (samples.length < 2) return null;
  return byThemselves(samples);
}

/** Shards are not named: rollouts with the same map are one shard. */
function byThemselves(samples: readonly Sample[]): Affine | null {
  const clusters: Sample[][] = [];
  const fits: AffineFit[] = [];
  for (const sample of samples) {
    const own = affineFit([sample]);
    if (own === null || own.tokens < 6) return null;
    const at = fits.findIndex((fit) => sameMap(fit, own));
    if (at < 0) {
      clusters.push([sample]);
      fits.push(own);
    } else clusters[at]?.push(sample);
  }
  const joined = clusters.map((cluster) => affineFit(cluster));
  const known = joined.filter((fit) => fit !== null);
  if (known.length !== joined.length || known.every(isIdentity)) return null;
  return { kind: known.every(isPureScale) ? 'scales' : 'shards', fits: known, labelled: false };
}

function explanationOf(
  trace: Trace,
  setting: Setting,
  affine: Affine,
  logged: readonly Trace[],
  batch: readonly Trace[],
  named: Discount | null,
): Explanation {
  const own = affine.fits.find(({ traces }) => traces.includes(trace)) ?? affine.fits[0];
  const scale = own?.scale ?? 1;
  const shift = own?.shift ?? 0;
  const map = `logged = ${figure(scale)} · x ${shift < 0 ? '−' : '+'} ${figure(Math.abs(shift))}, x = ${settingLabel(setting)}`;
  // A mean near 0 leaves no shift to be seen; whitening shows in the scale then.
  const pure = own !== undefined && isPureScale(own) && !isWhitening(own);
  const over =
    affine.kind === 'global'
      ? `all ${logged.length} rollouts`
      : `${own?.traces.length ?? 1} of ${logged.length} rollouts`;
  const evidence = [`${map}, at all ${own?.tokens ?? 0} tokens of ${over}.`];
  if (own !== undefined && !pure) {
    evidence.push(
      isWhitening(own)
        ? 'Scale and shift are 1/s and −mean/s of exactly these tokens.'
        : 'Scale and shift are not those of these tokens alone: the trainer whitened over more, or other, tokens.',
    );
  }
  if (affine.kind === 'shards') {
    evidence.push(
      `${affine.fits.length} different maps in the batch, ${affine.labelled ? 'one for each rank in the log' : 'rollouts with the same map taken as one shard'}.`,
    );
  }
  const presets = affine.kind === 'global' ? whitenedPresets(trace, setting, batch) : [];
  if (presets.length > 0) evidence.push(`The same as ${presets.join(', ')}.`);
  const discount =
    setting.gamma === null || setting.lambda === null ? null : { gamma: setting.gamma, lambda: setting.lambda };
  // Walking observations is a mistake that whitening does not excuse.
  const walks = setting.convention === 'observations-as-transitions';
  const whitened = affine.kind === 'shards' ? 'whitened-per-shard' : pure ? 'scaled-globally' : 'whitened-globally';
  return {
    code: walks ? setting.convention : whitened,
    when:
      affine.kind === 'shards'
        ? `${settingLabel(setting)} is whitened within each shard instead of over the batch`
        : pure
          ? `${settingLabel(setting)} is multiplied by ${figure(scale)} over the whole batch`
          : `${settingLabel(setting)} is whitened over the batch`,
    evidence,
    discount,
    asNamed:
      named === null ||
      discount === null ||
      (named.gamma === discount.gamma && sameLambda(named.lambda, discount.lambda)),
    fitted: 2,
    reference: runSetting(setting, trace, batch),
  };
}

/** Trainers' whitening conventions that give exactly this log. */
function whitenedPresets(trace: Trace, setting: Setting, batch: readonly Trace[]): string[] {
  return (['verl', 'openrlhf'] as const).flatMap((convention) => {
    const whitened = whitenedSetting(setting, convention);
    const recomputed = whitened === null ? null : runSetting(whitened, trace, batch);
    return recomputed !== null && explains(trace, recomputed)
      ? [`${settingLabel(setting)} with whitening as in ${convention}`]
      : [];
  });
}
