// Columns that no log and no run holds: TD residuals, ratios, what rejection masks do to a token, KL, loss weights and
// |weight × advantage|. All numbers come from the estimators; here their outputs become columns that can be drawn and kept.

import { buildPyramid, type Mask } from '../../../db/pyramid.ts';
import type { SegmentPlace } from '../../../db/queries/segments.ts';
import type { TokenArray } from '../../contract/ingest.ts';
import { type WhatIfNormaliser, whatIfNormalisers } from '../../contract/what-if.ts';
import { klKinds } from '../../domain/advantage/kl-terms.ts';
import { estimatorById } from '../../domain/advantage/registry.ts';
import type { RolloutInput, SegmentOutput } from '../../domain/advantage/types.ts';
import { weightsFromCounts } from '../../domain/advantage/what-if/weights.ts';
import { defined } from '../../shared/assert.ts';
import { Refusal } from '../../shared/errors.ts';

/** A derived column by its name in the contract. */
export type Derived =
  | { readonly kind: 'td'; readonly run: string | null }
  | { readonly kind: 'difference'; readonly run: string }
  | { readonly kind: 'signal'; readonly run: string | null }
  | { readonly kind: 'weight'; readonly normaliser: WhatIfNormaliser }
  | { readonly kind: 'pointwise'; readonly column: Pointwise };

/** Derived from the log-probabilities of one token alone. */
interface Pointwise {
  readonly name: string;
  readonly estimator: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Logged log-probabilities it needs: any one of each list. */
  readonly needs: readonly (readonly string[])[];
  readonly of: (columns: SegmentOutput['columns'], token: number) => number;
}

const trainer = ['logprobs.train', 'logprobs.old'];
const engine = ['logprobs.rollout'];

/** Which side of its interval a rejected ratio is on. Every interval holds 1, so that the side is told by comparing with it. */
function fate(kept: boolean, ratio: number): number {
  if (kept) return 0;
  return ratio <= 1 ? -1 : 1;
}

/** All of them, in the order in which a token's figures are listed. */
const pointwise: readonly Pointwise[] = [
  {
    name: 'ratio:dis',
    estimator: 'dis',
    params: {},
    needs: [trainer, engine],
    of: (columns, t) => columns.ratio?.[t] ?? Number.NaN,
  },
  {
    name: 'fate:dis',
    estimator: 'dis',
    params: {},
    needs: [trainer, engine],
    of: (columns, t) => fate(columns.keep?.[t] === 1, columns.ratio?.[t] ?? Number.NaN),
  },
  {
    name: 'fate:icepop',
    estimator: 'icepop_ppo',
    params: {},
    needs: [trainer, engine],
    of: (columns, t) => fate(columns.pop?.[t] !== 0, columns.mismatch?.[t] ?? Number.NaN),
  },
  ...klKinds.map((kind) => ({
    name: `kl:${kind}`,
    estimator: 'kl',
    params: { kind },
    needs: [trainer, ['logprobs.ref']],
    of: (columns: SegmentOutput['columns'], t: number) => columns.kl?.[t] ?? Number.NaN,
  })),
];

/** What a column's name says; null for a stored column or a run's. */
export function derivedOf(column: string): Derived | null {
  const at = column.indexOf(':');
  const rest = column.slice(at + 1);
  switch (column.slice(0, at)) {
    case 'td':
      return { kind: 'td', run: rest === '' ? null : rest };
    case 'diff':
      return { kind: 'difference', run: rest };
    case 'signal':
      return { kind: 'signal', run: rest === 'logged' ? null : rest };
    case 'weight': {
      const normaliser = whatIfNormalisers.find((name) => name === rest);
      return normaliser === undefined ? null : { kind: 'weight', normaliser };
    }
    default: {
      const known = pointwise.find(({ name }) => name === column);
      return known === undefined ? null : { kind: 'pointwise', column: known };
    }
  }
}

/** A refusal of an estimator, as the caller of a procedure sees it. */
export function refusalFrom({ code, message }: { readonly code: string; readonly message: string }): Refusal {
  return new Refusal(code, message);
}

/** The rejection estimators also weigh advantages; their ratios and masks do not depend on them. */
function withBlankAdvantages(input: RolloutInput): RolloutInput {
  return {
    ...input,
    segments: input.segments.map((segment) => ({ ...segment, advantages: new Float32Array(segment.lossMask.length) })),
  };
}

/** One array per segment, in their order, 0 at masked tokens. @throws Refusal when the estimator refuses the rollout. */
export function pointwiseColumns(column: Pointwise, input: RolloutInput): Float32Array[] {
  const estimator = defined(estimatorById(column.estimator), `the estimator ${column.estimator}`);
  const [output] = estimator.run(column.params, {
    rollouts: [withBlankAdvantages(input)],
    nanIsMissing: true,
  }).rollouts;
  const result = defined(output, 'the output for one rollout');
  if (result.error !== null) throw refusalFrom(result.error);
  return result.segments.map(({ columns, length, positions }) => {
    const values = new Float32Array(length);
    for (const t of positions) values[t] = column.of(columns, t);
    return values;
  });
}

/** Whether a segment's columns have what a derivation needs. */
function hasNeeds({ needs }: Pointwise, columns: ReadonlySet<string>): boolean {
  return needs.every((any) => any.some((name) => columns.has(name)));
}

/** The pointwise figures of one token: its one-token rollout goes through the same estimators. Refused ones are left out. */
export function pointwiseAt(
  input: RolloutInput,
  columns: ReadonlySet<string>,
): { readonly name: string; readonly value: number }[] {
  return pointwise.flatMap((column) => {
    if (!hasNeeds(column, columns)) return [];
    try {
      const value = pointwiseColumns(column, input)[0]?.[0];
      return value === undefined ? [] : [{ name: column.name, value }];
    } catch (error) {
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
}

/** Parameters of a run that also decide about its TD residuals. */
const residualParameters = ['gamma', 'truncation', 'masked_reward', 'kl', 'reward_placement'];
const withResiduals = new Set(['gae_local', 'gae_cross', 'gae_stitched', 'gae_all_tokens']);

/**
 * TD residuals are segment-local GAE with λ 0: `δ_i = r_i + γ·v_{i+1} − v_i`. Takes over what a run of the GAE family says about
 * rewards and discount; another run's parameters say nothing here.
 */
export function residualParams(run: {
  readonly estimator: string;
  readonly params: Readonly<Record<string, unknown>>;
}): Record<string, unknown> {
  const own = withResiduals.has(run.estimator)
    ? residualParameters.flatMap((name) => (name in run.params ? [[name, run.params[name]] as const] : []))
    : [];
  return { ...Object.fromEntries(own), lambda: 0, whiten: null };
}

/** The weight of a trainable token of each segment of the rollout `at` of a batch. */
export function weightsOf(
  normaliser: WhatIfNormaliser,
  counts: readonly (readonly number[])[],
  at: number,
): readonly number[] {
  return weightsFromCounts(normaliser, counts)[at] ?? [];
}

/** |weight × advantage| at every token; NaN where there is no advantage. */
export function signalOf(weight: number, advantages: TokenArray): Float32Array {
  return Float32Array.from(advantages, (advantage) => Math.abs(weight * advantage));
}

/** From this many tokens on a derived column gets a pyramid, once it is drawn from far away. */
const pyramidFrom = 1 << 16;

/** A derived column of one segment. Its pyramid is made when it is first asked for. */
export class DerivedSegment {
  readonly start: number;
  readonly data: TokenArray;
  #pyramid: Uint8Array | null | undefined;

  constructor(data: TokenArray, start = 0) {
    this.data = data;
    this.start = start;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.data.byteLength + (this.#pyramid?.byteLength ?? 0);
  }

  /** The pyramid under this mask, which is the segment's own and so the same at each call; null for a short column. */
  pyramid(mask: Mask): Uint8Array | null {
    if (this.data.length < pyramidFrom) return null;
    this.#pyramid ??= buildPyramid(this.data, this.start, mask);
    return this.#pyramid;
  }
}

/** A derived column of a rollout by segment (row id); segments without one are absent. */
export type DerivedColumn = ReadonlyMap<SegmentPlace['id'], DerivedSegment>;

/** Derived columns by what they were made from; the longest unused go first when there are too many bytes. */
export class DerivedCache {
  readonly #columns = new Map<string, DerivedColumn>();
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The column under `key`, made by `make` when it is not there. */
  get(key: string, make: () => DerivedColumn): DerivedColumn {
    const column = this.#columns.get(key) ?? make();
    this.#columns.delete(key);
    this.#columns.set(key, column);
    let bytes = 0;
    for (const [, segments] of this.#columns) for (const [, segment] of segments) bytes += segment.bytes;
    for (const [old, segments] of this.#columns) {
      if (bytes <= this.#mostBytes || old === key) break;
      for (const [, segment] of segments) bytes -= segment.bytes;
      this.#columns.delete(old);
    }
    return column;
  }
}
