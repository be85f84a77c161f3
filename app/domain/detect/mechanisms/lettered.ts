// Guards know literals of two characters and more: one alternative without any, as `5\s*\/\s*5`, would open the guard of a whole
// expression to every text.

/**
 * The expression without these alternatives, each as it stands in its source: what a guard is made of where the text is asked for the
 * others by other means.
 * @throws Error where the source does not hold one of them between two others.
 */
export function without(regex: RegExp, ...alternatives: readonly string[]): RegExp {
  let { source } = regex;
  for (const each of alternatives) {
    const shorter = source.replace(`|${each}|`, () => '|');
    if (shorter === source) throw new Error(`No alternative ${each} in ${regex.source.slice(0, 80)}`);
    source = shorter;
  }
  return new RegExp(source, regex.flags);
}
