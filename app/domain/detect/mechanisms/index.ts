// The comparisons over a whole rollout that rules name by `mechanism`, and what they share.

import type { Mechanism } from '../../../contract/rule-pack.ts';
import type { CompiledRule } from '../compile.ts';
import type { Reading } from '../reading.ts';
import { afterTrouble } from './after-trouble.ts';
import { againstOwnWord } from './against-own-word.ts';
import { answerPage, itemSearched } from './answer-page.ts';
import { otherStore, wholeFolderLearned } from './beyond-allowed.ts';
import { borrowedState } from './borrowed-state.ts';
import { restrictedCarried, unreadClaims } from './carried.ts';
import { foreignFile, foreignFix, jobArtefacts, otherState, publishedCopy, unwrittenPatch } from './carried-over.ts';
import { casesToCode } from './cases-to-code.ts';
import { checksRedefined } from './check-redefined.ts';
import { contradictedClaims } from './claims.ts';
import { closedPlaceReported } from './closed-place.ts';
import { samePathOtherwise, sameThingElsewhere } from './detour.ts';
import { dividedAmounts } from './divided.ts';
import { evaluationData } from './evaluation-data.ts';
import { evaluationLearned } from './evaluation-learned.ts';
import { evaluatorMarks } from './evaluator-mark.ts';
import { failingExcluded } from './failing-excluded.ts';
import { alarmsSilenced, valuesSwapped } from './failure-silenced.ts';
import { forbiddenUses } from './forbidden-names.ts';
import { foreignOverridden } from './foreign-overridden.ts';
import { foreignTwins } from './foreign-twin.ts';
import { foretoldRead } from './foretold.ts';
import { forgedRecords } from './forged-record.ts';
import type { Found } from './found.ts';
import { givenTestsChanged } from './given-test-changed.ts';
import { gradingHandles } from './grading-handles.ts';
import { hiddenItemUsed } from './hidden-item.ts';
import { hiddenPleas } from './hidden-plea.ts';
import { unnamedMeasureRead, unnamedMeasureWritten } from './hints-evaluation.ts';
import { scoreLeaps } from './hints-leap.ts';
import { lastWords, requestWords } from './hints-said.ts';
import { terseEnd, terseWhereMeasured, unsaidSource } from './hints-unsaid.ts';
import { hollowEqualities } from './hollow-equality.ts';
import { inventedGrounds } from './invented-ground.ts';
import { judgeAddressed } from './judge-addressed.ts';
import { madeUpRows } from './made-up-rows.ts';
import { measureEdited } from './measure-edited.ts';
import { otherScopes } from './named-scope.ts';
import { namedStateWritten } from './named-state.ts';
import { otherDoors } from './other-door.ts';
import { otherMeans } from './other-means.ts';
import { taskSearched } from './posted-answers.ts';
import { answersRead, testsRead } from './protected-content.ts';
import { ratingsClaimed } from './rating-claimed.ts';
import { refusedThenAllowed } from './refused-then-allowed.ts';
import { protectedChanges, readingTools, reservedFields } from './reserved.ts';
import { reservedAnswers, reservedTests } from './reserved-places.ts';
import { seenPairs } from './seen-pairs.ts';
import { seenSequences } from './seen-sequence.ts';
import { seenValues } from './seen-values.ts';
import { speedJumps } from './speed-jump.ts';
import { targetPackages } from './target-package.ts';
import { fewerTests } from './test-counts.ts';
import { expectationsRead, expectationsWritten } from './told-artefacts.ts';
import { outsourced, overBudget, toldEvaluation, unnamedHosts } from './told-terms.ts';
import { othersRecordWritten } from './told-writer.ts';
import { turnedGreen } from './turned-green.ts';
import { unknownCodes } from './unknown-code.ts';
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
  'reserved-tests': reservedTests,
  'reserved-answers': reservedAnswers,
  'other-state': otherState,
  'foreign-fix': foreignFix,
  'published-copy': publishedCopy,
  'foreign-file': foreignFile,
  'unwritten-patch': unwrittenPatch,
  'job-artefacts': jobArtefacts,
  'evaluation-learned': evaluationLearned,
  'other-store': otherStore,
  'whole-folder-learned': wholeFolderLearned,
  'answer-page': answerPage,
  'item-searched': itemSearched,
  'last-words': lastWords,
  'request-words': requestWords,
  'score-leap': scoreLeaps,
  'unnamed-measure-read': unnamedMeasureRead,
  'unnamed-measure-written': unnamedMeasureWritten,
  'terse-end': terseEnd,
  'terse-where-measured': terseWhereMeasured,
  'divided-amounts': dividedAmounts,
  'foretold-read': foretoldRead,
  'unsaid-source': unsaidSource,
  'made-up-rows': madeUpRows,
  'evaluator-mark': evaluatorMarks,
  'reserved-field': reservedFields,
  'reading-tool': readingTools,
  'protected-change': protectedChanges,
  'other-means': otherMeans,
  'after-trouble': afterTrouble,
  'against-own-word': againstOwnWord,
  'cases-to-code': casesToCode,
  'check-redefined': checksRedefined,
  'foreign-overridden': foreignOverridden,
  'forged-record': forgedRecords,
  'hidden-plea': hiddenPleas,
  'hollow-equality': hollowEqualities,
  'other-door': otherDoors,
  'rating-claimed': ratingsClaimed,
  'given-test-changed': givenTestsChanged,
  'value-swapped': valuesSwapped,
  'alarm-silenced': alarmsSilenced,
  'turned-green': turnedGreen,
  'told-writer': othersRecordWritten,
  'hidden-item': hiddenItemUsed,
  'unknown-code': unknownCodes,
  'seen-sequence': seenSequences,
  'named-state': namedStateWritten,
  'invented-ground': inventedGrounds,
  'named-scope': otherScopes,
  'borrowed-state': borrowedState,
};

/** What a mechanism finds in a rollout. */
export function mechanismHits(mechanism: Mechanism, reading: Reading, rule: CompiledRule): Iterable<Found> {
  return all[mechanism](reading, rule);
}
