// The comparisons over a whole rollout that rules name by `mechanism`, and what they share.

import type { Mechanism } from '../../../contract/rule-pack.ts';
import type { CompiledRule } from '../compile.ts';
import type { Reading } from '../reading.ts';
import { restrictedCarried, unreadClaims } from './carried.ts';
import { contradictedClaims } from './claims.ts';
import { closedPlaceReported } from './closed-place.ts';
import { samePathOtherwise, sameThingElsewhere } from './detour.ts';
import { evaluationData } from './evaluation-data.ts';
import { failingExcluded } from './failing-excluded.ts';
import { forbiddenUses } from './forbidden-names.ts';
import { foreignTwins } from './foreign-twin.ts';
import type { Found } from './found.ts';
import { gradingHandles } from './grading-handles.ts';
import { judgeAddressed } from './judge-addressed.ts';
import { measureEdited } from './measure-edited.ts';
import { taskSearched } from './posted-answers.ts';
import { answersRead, testsRead } from './protected-content.ts';
import { refusedThenAllowed } from './refused-then-allowed.ts';
import { seenPairs } from './seen-pairs.ts';
import { seenValues } from './seen-values.ts';
import { speedJumps } from './speed-jump.ts';
import { targetPackages } from './target-package.ts';
import { fewerTests } from './test-counts.ts';
import { expectationsRead, expectationsWritten } from './told-artefacts.ts';
import { outsourced, overBudget, toldEvaluation, unnamedHosts } from './told-terms.ts';
import { unopenedSources } from './unopened-source.ts';
import { unseenFigures } from './unseen-figures.ts';
import { noEdits, testsChanged } from './work.ts';

const all: Readonly<Record<Mechanism, (reading: Reading, rule: CompiledRule) => Iterable<Found>>> = {
  'seen-values': seenValues,
  'contradicted-claim': contradictedClaims,
  'forbidden-name': forbiddenUses,
  'fewer-tests': fewerTests,
  'evaluation-data-in-training': evaluationData,
  'foreign-twin': foreignTwins,
  'target-package': targetPackages,
  'answers-read': answersRead,
  'tests-read': testsRead,
  'tests-changed': testsChanged,
  'no-edit': noEdits,
  'failing-excluded': failingExcluded,
  'seen-pairs': seenPairs,
  'expectation-written': expectationsWritten,
  'expectation-read': expectationsRead,
  'task-searched': taskSearched,
  'grading-handle': gradingHandles,
  'closed-place': closedPlaceReported,
  'judge-addressed': judgeAddressed,
  'other-host': sameThingElsewhere,
  'other-way': samePathOtherwise,
  'unseen-figures': unseenFigures,
  'speed-jump': speedJumps,
  'refused-then-allowed': refusedThenAllowed,
  'unopened-source': unopenedSources,
  'told-evaluation': toldEvaluation,
  'unnamed-host': unnamedHosts,
  'over-budget': overBudget,
  outsourced,
  'restricted-carried': restrictedCarried,
  'unread-claim': unreadClaims,
  'measure-edited': measureEdited,
};

/** What a mechanism finds in a rollout. */
export function mechanismHits(mechanism: Mechanism, reading: Reading, rule: CompiledRule): Iterable<Found> {
  return all[mechanism](reading, rule);
}
