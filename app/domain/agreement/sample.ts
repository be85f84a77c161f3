// What samples of ratings have in common: the key of a pattern, and agreement on one category as a statistic.

import type { Statistic } from './bootstrap.ts';
import { type Ratings, specificAgreement } from './coefficients.ts';

/** Equal for units with as many ratings of each category. */
export const ratingsKey = (ratings: Ratings): string => ratings.join();

/** Agreement specific to a category (its place in the ratings). */
export function specific(category: number): Statistic<Ratings> {
  return (ratings, times) => specificAgreement(ratings, category, times);
}
