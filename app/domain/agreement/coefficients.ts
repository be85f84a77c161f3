// Coefficients of agreement on nominal verdicts. A unit is given as counts per category: [2, 1, 0] are two annotators who
// said the first and one who said the second. `times` says how often each unit occurs, which is how resamples come in.
// All are null where the formula divides by zero: nothing to compare, or a single category in use.

/** Annotators per category of one unit. */
export type Ratings = readonly number[];

interface Pooled {
  /** Units with at least two ratings. */
  readonly units: number;
  /** Ratings of each category in these units. */
  readonly perCategory: readonly number[];
  readonly ratings: number;
}

function total(ratings: Ratings): number {
  let sum = 0;
  for (const count of ratings) sum += count;
  return sum;
}

/** Ordered pairs of different annotators that said the same. */
function agreeing(ratings: Ratings): number {
  let sum = 0;
  for (const count of ratings) sum += count * (count - 1);
  return sum;
}

function pool(units: readonly Ratings[], times?: ArrayLike<number>): Pooled {
  const perCategory: number[] = [];
  let pairable = 0;
  let ratings = 0;
  for (const [at, unit] of units.entries()) {
    const weight = times === undefined ? 1 : (times[at] ?? 0);
    const raters = total(unit);
    if (raters < 2 || weight === 0) continue;
    pairable += weight;
    ratings += weight * raters;
    for (const [category, count] of unit.entries()) {
      perCategory[category] = (perCategory[category] ?? 0) + weight * count;
    }
  }
  return { units: pairable, perCategory, ratings };
}

/**
 * Share of the pairs of annotators of a unit that agree, averaged over the units with two or more: for two annotators the
 * share of units on which they agree. Source: J. L. Fleiss, Psychological Bulletin 76 (1971) 378-382, the mean of P_i.
 */
export function percentAgreement(units: readonly Ratings[], times?: ArrayLike<number>): number | null {
  let sum = 0;
  let counted = 0;
  for (const [at, unit] of units.entries()) {
    const weight = times === undefined ? 1 : (times[at] ?? 0);
    const raters = total(unit);
    if (raters < 2) continue;
    sum += (weight * agreeing(unit)) / (raters * (raters - 1));
    counted += weight;
  }
  return counted === 0 ? null : sum / counted;
}

/** Agreement that the categories' overall shares alone would give, the sum of p_c². */
export function chanceAgreement(units: readonly Ratings[], times?: ArrayLike<number>): number | null {
  const { perCategory, ratings } = pool(units, times);
  return ratings === 0 ? null : perCategory.reduce((sum, count) => sum + (count / ratings) ** 2, 0);
}

/**
 * Krippendorff's α for nominal data, any number of annotators a unit, missing ones allowed; units with a single rating are
 * not pairable and left out. With the coincidences o_cc = Σ_u n_uc (n_uc - 1) / (m_u - 1), the ratings n_c of each category
 * and n of all: α = ((n - 1) Σ o_cc - Σ n_c (n_c - 1)) / (n (n - 1) - Σ n_c (n_c - 1)).
 * Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section D.
 */
export function krippendorffAlpha(units: readonly Ratings[], times?: ArrayLike<number>): number | null {
  const { perCategory, ratings } = pool(units, times);
  let coincidences = 0;
  for (const [at, unit] of units.entries()) {
    const raters = total(unit);
    if (raters >= 2) coincidences += ((times === undefined ? 1 : (times[at] ?? 0)) * agreeing(unit)) / (raters - 1);
  }
  const byChance = agreeing(perCategory);
  const scale = ratings * (ratings - 1) - byChance;
  return scale === 0 ? null : ((ratings - 1) * coincidences - byChance) / scale;
}

/**
 * Fleiss' κ = (P - P_e) / (1 - P_e) with P the mean agreement of pairs and P_e the sum of the squared shares of the
 * categories. Every unit must have the same number of annotators, who need not be the same persons.
 * Source: J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971) 378-382.
 * @throws RangeError for units with unequal numbers of ratings.
 */
export function fleissKappa(units: readonly Ratings[], times?: ArrayLike<number>): number | null {
  const raters = new Set(units.map(total));
  if (raters.size > 1) throw new RangeError(`Fleiss' kappa wants as many ratings for every unit, not ${[...raters]}.`);
  return beyondChance(percentAgreement(units, times), chanceAgreement(units, times));
}

function beyondChance(observed: number | null, expected: number | null): number | null {
  // Shares add up to 1 only up to rounding.
  if (observed === null || expected === null || 1 - expected < 1e-12) return null;
  return (observed - expected) / (1 - expected);
}

/** Rows are the first annotator's category, columns the second's. */
export type Table = readonly (readonly number[])[];

/** What two annotators agree on, observed and by chance (the sum over categories of the product of their own shares). */
export function tableAgreement(table: Table): { readonly observed: number | null; readonly chance: number | null } {
  const rows = table.map(total);
  const all = total(rows);
  if (all === 0) return { observed: null, chance: null };
  let observed = 0;
  let chance = 0;
  for (const [category, row] of table.entries()) {
    observed += row[category] ?? 0;
    const column = table.reduce((sum, each) => sum + (each[category] ?? 0), 0);
    chance += ((rows[category] ?? 0) / all) * (column / all);
  }
  return { observed: observed / all, chance };
}

/**
 * Cohen's κ = (p_o - p_e) / (1 - p_e) of a square table of counts, p_e from each annotator's own shares.
 * Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960) 37-46.
 */
export function cohenKappa(table: Table): number | null {
  const { observed, chance } = tableAgreement(table);
  return beyondChance(observed, chance);
}

/**
 * Agreement specific to one category: of two annotators 2a / (2a + b + c), with a the units that both put there and b, c those
 * that only one does; of more, the same over all pairs of annotators of a unit. It does not fall because the category is rare.
 * Source: D. V. Cicchetti and A. R. Feinstein, "High agreement but low kappa: II", J. Clin. Epidemiol. 43 (1990) 551-558.
 */
export function specificAgreement(
  units: readonly Ratings[],
  category: number,
  times?: ArrayLike<number>,
): number | null {
  let both = 0;
  let all = 0;
  for (const [at, unit] of units.entries()) {
    const weight = times === undefined ? 1 : (times[at] ?? 0);
    const raters = total(unit);
    const count = unit[category] ?? 0;
    if (raters < 2) continue;
    both += weight * count * (count - 1);
    all += weight * count * (raters - 1);
  }
  return all === 0 ? null : both / all;
}
