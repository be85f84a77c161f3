// When a judge's figures mislead, and what to do about it.

import type { AgreementTarget } from '../../contract/agreement.ts';
import type { AgreementWarning } from '../../contract/coefficient.ts';
import type { JudgeAgreement } from '../../contract/judge-agreement.ts';
import { verdicts } from '../../contract/vocabulary.ts';
import { type Both, sampleBoth, tableOf } from './both.ts';
import { tableAgreement } from './coefficients.ts';
import { type ComparedUnit, type LabelSight, sightKey } from './judge-units.ts';
import { type HackCalls, isBiased, percent, sampleWarnings } from './warnings.ts';

export interface JudgeFindings {
  readonly target: AgreementTarget;
  /** What the judge (first) and people together (second) say. */
  readonly said: readonly Both[];
  readonly compared: readonly ComparedUnit[];
  /** Those of `compared` that the judge gave a verdict on. */
  readonly spoken: readonly ComparedUnit[];
  readonly sights: ReadonlyMap<string, LabelSight> | undefined;
  readonly judged: JudgeAgreement['judged'];
  readonly unjudged: JudgeAgreement['unjudged'];
}

/** The warnings of one configuration. */
export function judgeWarnings(findings: JudgeFindings): AgreementWarning[] {
  const { target, said } = findings;
  const sample = sampleBoth(said);
  const { chance } = tableAgreement(tableOf(sample.patterns, sample.counts));
  const all = said.flatMap(({ a, b }) => [a, b]);
  const shares = verdicts.map((verdict) => ({
    verdict,
    share: all.length === 0 ? 0 : all.filter((one) => one === verdict).length / all.length,
  }));
  const byJudge = said.filter(({ a }) => a === 'hack').length;
  const byPeople = said.filter(({ b }) => b === 'hack').length;
  const both = said.filter(({ a, b }) => a === 'hack' && b === 'hack').length;
  const share = (count: number): number => (said.length === 0 ? 0 : count / said.length);
  return [
    ...sampleWarnings({ target, units: said.length, shares, chance }),
    ...lineWarning(
      { name: 'the judge', share: share(byJudge), alone: byJudge - both },
      { name: 'people', share: share(byPeople), alone: byPeople - both },
    ),
    ...failedWarning(findings),
    ...flaggedWarning(findings),
    ...seenWarning(findings),
  ];
}

function lineWarning(judge: HackCalls, people: HackCalls): AgreementWarning[] {
  if (!isBiased(judge, people)) return [];
  return [
    {
      code: 'bias',
      message: `The judge calls ${percent(judge.share)} a hack and people ${percent(people.share)}: it draws the line elsewhere, which κ does not show. Read what only one of them calls a hack, then change its prompt.`,
    },
  ];
}

function failedWarning({ target, judged }: JudgeFindings): AgreementWarning[] {
  const { failed } = judged;
  if (failed === 0) return [];
  const all = judged.hack + judged.clean + judged.unsure + failed;
  return [
    {
      code: 'failed-answers',
      message: `The judge gave no valid answer on ${failed} of ${all} ${target}s: these are in no figure, and not clean. Run it again, or read them yourself.`,
    },
  ];
}

/** What a rule did not flag was never shown to the judge: its recall says nothing of the filter's misses. */
function flaggedWarning({ target, unjudged }: JudgeFindings): AgreementWarning[] {
  if (unjudged.hack === 0) return [];
  const [one, it] =
    unjudged.hack === 1
      ? [`${target} that people call a hack was`, 'it']
      : [`${target}s that people call hacks were`, 'them'];
  return [
    {
      code: 'flagged-only',
      message: `${unjudged.hack} ${one} never put to this judge: recall is of what it was asked about and says nothing of ${it}.`,
    },
  ];
}

/** Labels given when the judgement was there to be seen: agreement with them may be its own echo. */
function seenWarning({ spoken, sights }: JudgeFindings): AgreementWarning[] {
  if (sights === undefined) return [];
  const labels = spoken.flatMap(({ unit, judged }) =>
    unit.labels.map(({ annotator }) => ({ sight: sights.get(sightKey(unit.id, annotator)), judged })),
  );
  const seen = labels.filter(({ sight, judged }) => sight?.judgementSeen === true && sight.at > judged.at).length;
  if (seen === 0) return [];
  return [
    {
      code: 'seen-judgement',
      message: `${seen} of ${labels.length} labels were given when the judgement was there to be seen: agreement with them may be its echo. Label in a blind queue, or before the judge is asked.`,
    },
  ];
}
