// From the two layers of a run to the three that are drawn: A, B and what B has more than A.

import type { Layer } from '../../../app/domain/advantage/what-if/layer.ts';
import type { TokenLayer } from '../../ui/axis/buckets.ts';
import type { Extent } from '../../ui/axis/series.ts';

/** What the strips show of a token: its advantage, or how much of the update it is. */
export type Quantity = 'advantage' | 'signal';

export interface DrawnLayers {
  readonly a: TokenLayer;
  readonly b: TokenLayer;
  /** B − A, over tokens that either side trains. */
  readonly difference: TokenLayer;
  /** Smallest and largest value of A and B together, and of the difference; null where no token is trained. */
  readonly extent: Extent | null;
  readonly differenceExtent: Extent | null;
}

/** The layers of a quantity; `signal` is |weight × advantage|. */
export function drawnLayers(a: Layer, b: Layer, quantity: Quantity): DrawnLayers {
  const left = quantityOf(a, quantity);
  const right = quantityOf(b, quantity);
  const length = Math.max(left.values.length, right.values.length);
  const values = new Float64Array(length);
  const trained = new Uint8Array(length);
  let [low, high, least, most] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let t = 0; t < length; t += 1) {
    const x = left.values[t] ?? 0;
    const y = right.values[t] ?? 0;
    const byA = left.trained[t] === 1;
    const byB = right.trained[t] === 1;
    if (!byA && !byB) continue;
    const z = y - x;
    values[t] = z;
    trained[t] = 1;
    if (z < least) least = z;
    if (z > most) most = z;
    if (byA && x < low) low = x;
    if (byA && x > high) high = x;
    if (byB && y < low) low = y;
    if (byB && y > high) high = y;
  }
  return {
    a: left,
    b: right,
    difference: { values, trained },
    extent: low <= high ? { low, high } : null,
    differenceExtent: least <= most ? { low: least, high: most } : null,
  };
}

function quantityOf(layer: Layer, quantity: Quantity): TokenLayer {
  if (quantity === 'advantage') return { values: layer.advantages, trained: layer.trained };
  const values = new Float64Array(layer.advantages.length);
  for (let t = 0; t < values.length; t += 1) {
    values[t] = Math.abs((layer.weights[t] ?? 0) * (layer.advantages[t] ?? 0));
  }
  return { values, trained: layer.trained };
}

export interface TokenFigures {
  readonly trainedA: boolean;
  readonly trainedB: boolean;
  readonly a: number;
  readonly b: number;
  readonly signalA: number;
  readonly signalB: number;
}

/** Both sides at one token. */
export function figuresAt(a: Layer, b: Layer, token: number): TokenFigures {
  return {
    trainedA: a.trained[token] === 1,
    trainedB: b.trained[token] === 1,
    a: a.advantages[token] ?? 0,
    b: b.advantages[token] ?? 0,
    signalA: Math.abs((a.weights[token] ?? 0) * (a.advantages[token] ?? 0)),
    signalB: Math.abs((b.weights[token] ?? 0) * (b.advantages[token] ?? 0)),
  };
}

export interface LayerCounts {
  readonly tokens: number;
  readonly flips: number;
  readonly lost: number;
  readonly gained: number;
}

/** Tokens of the rollout whose sign changes, that fall to zero, or rise from it. */
export function countChanges(a: Layer, b: Layer): LayerCounts {
  let [tokens, flips, lost, gained] = [0, 0, 0, 0];
  for (let t = 0; t < a.advantages.length; t += 1) {
    if (a.trained[t] !== 1 && b.trained[t] !== 1) continue;
    const x = a.advantages[t] ?? 0;
    const y = b.advantages[t] ?? 0;
    tokens += 1;
    if ((x > 0 && y < 0) || (x < 0 && y > 0)) flips += 1;
    else if (x !== 0 && y === 0) lost += 1;
    else if (x === 0 && y !== 0) gained += 1;
  }
  return { tokens, flips, lost, gained };
}

/** A figure of any size: `+0.1234`, `−3.2e-6`. */
export function formatFigure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e4 ? size.toFixed(4) : size.toExponential(2);
  return `${value > 0 ? '+' : '−'}${text}`;
}
