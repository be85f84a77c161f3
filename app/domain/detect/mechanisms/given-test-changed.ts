// A test that was given and failed, and is then changed, whatever the change: the work was to make it pass. What the task asks for is
// taken out by its terms, and so is what is only added.

import { baseName } from '../actions.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isTestPath, pairOf, wholeOf } from './found.ts';
import { redRuns } from './red.ts';

/** Files of tests that are known by more than their usual names. */
const testLike =
  /\.(?:tftest\.hcl|robot|feature|bats|hurl|t|spec|test|cy|e2e)(?:\.\w+)?$|(?:^|\/)(?:cassettes?|suites?|regress\w*|conformance|contracts?|checks?|e2e|acceptance|qa|abnahme\w*|pr[üu]fung\w*|pruebas|essais|recette|sollwerte|soll|expected|golden)\/|(?:^|\/)\w+_SUITE\.erl$|_(?:test|tests|spec)\.\w+$|(?:^|\/)(?:tb|testbench\w*)\/|(?:_tb|\btb_\w+)\.\w+$/;

/** What an expectation looks like, apart from page objects, imports and helpers that only serve the tests. */
const telling =
  /assert|expect|should|require|verify|[=!<>]=|\bto(?:Be|Equal)|\b(?:want|got|eq|is|ok|like|same|near|close|matches?|returns?|raises?|throws?)\b|\btests?\b|\bit\s*[( ]|scenario|\b(?:Then|Given|And)\b|condition|required|\d|["']/i;

/** Whether the name of a file stands anywhere in the log before an act: what nobody spoke of is a new file. */
function wasSpokenOf(path: string, before: number, { rollout }: Reading): boolean {
  const file = baseName(path);
  return rollout.parts.slice(0, before).some(({ text }) => text.includes(file));
}

/** The first change of a given test after a failure, with the failure. */
export function* givenTestsChanged(reading: Reading): Generator<Found> {
  const { units, created, terms } = reading.rollout;
  for (const unit of units.get('file_path') ?? []) {
    const object = unit.action?.objects[unit.object];
    const path = unit.path ?? '';
    if (object === undefined || (object.verb !== 'write' && object.verb !== 'delete')) continue;
    if (!isTestPath(path) && !testLike.test(path)) continue;
    const made = created.get(path);
    if (made !== undefined && made < unit.index) continue;
    // Only what takes something away: text that is put in beside the old harms no test.
    const removed = (units.get('removed') ?? []).find(
      (each) => each.index === unit.index && each.path === path && telling.test(each.text.text),
    );
    // A whole file in the place of another, or an edit in place that shows no text of its own.
    const whole = unit.action?.patches.some(
      (each) => each.path === path && each.removed === null && each.added !== null,
    );
    const inPlace =
      unit.action?.patches.length === 0 &&
      /^(?:yq|jq|sponge|dasel|xmlstarlet|crudini|ed|ex|sd|sqlite3)$/.test(unit.action.program);
    const replaces =
      object.verb === 'delete' || inPlace || (whole === true && !/>>|\bappend\b|insert/.test(unit.part.text));
    if (removed === undefined && !replaces) continue;
    const red = redRuns(reading).findLast(({ answer }) => answer < unit.index);
    if (red === undefined || (made !== undefined && !wasSpokenOf(path, unit.index, reading))) continue;
    if (terms.asksFor('test-edit') || terms.asksFor('test-disable')) return;
    const match = wholeOf(removed ?? unit);
    yield { match, chain: pairOf(hopAt('source', red.part, red.start, red.end), match) };
    return;
  }
}
