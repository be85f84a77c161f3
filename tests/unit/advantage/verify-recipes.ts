// What the trainers of the presets compute, as recipes in which mistakes are planted.

import type { Recipe } from './verify-batches.ts';

/** Recipes by the preset that they are. Written out rather than read from the presets, which are under test too. */
export const presetRecipes: Readonly<Record<string, Recipe>> = {
  'compactionrl-paper': { style: 'cross', gamma: 1, lambda: { alpha: 1.5 } },
  'compactionrl-rollout-length': { style: 'cross', gamma: 1, lambda: { alpha: 1.5, length: 'rollout' } },
  'compactionrl-naive': { style: 'local', gamma: 1, lambda: { alpha: 1.5 } },
  'compactionrl-stitched': { style: 'stitched', gamma: 1, lambda: { alpha: 1.5, length: 'rollout' } },
  vapo: { style: 'local', gamma: 1, lambda: { alpha: 0.05 } },
  webrl: { style: 'local', gamma: 0.9, lambda: 0.5 },
  'miles-gae': { style: 'local', gamma: 1, lambda: 0.95 },
  'reward on the last segment': { style: 'last', gamma: 1, lambda: 0.99 },
};
