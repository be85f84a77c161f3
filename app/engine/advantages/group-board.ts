// The group board over the database: siblings with their segments, steps and markers, and the two actions at which a pair parts.
// Runs in a reader thread.

import type { ReadDb } from '../../../db/connection.ts';
import { batchIds } from '../../../db/queries/batch.ts';
import {
  type BoardStep,
  boardSteps,
  bodyTexts,
  findGroup,
  stepVersions,
  weightVersions,
} from '../../../db/queries/group-board.ts';
import { markersOf } from '../../../db/queries/markers.ts';
import { rolloutRows } from '../../../db/queries/rollouts.ts';
import { segmentRows } from '../../../db/queries/segments.ts';
import type { BoardMember, DiffLine, GroupBoard, GroupDivergence } from '../../contract/group.ts';
import { type ActionPart, actionKey } from '../../domain/group/action-key.ts';
import { prefixNumbers } from '../../domain/group/divergence.ts';
import { lineDiff } from '../../domain/text/line-diff.ts';
import { viewOfPart } from '../../domain/text/view.ts';
import { Refusal } from '../../shared/errors.ts';

/** Siblings shown at once. Larger groups than this are not groups but a file without group ids. */
const mostMembers = 1024;
/** Lines and characters of a side-by-side comparison that cross the wire. */
const mostLines = 2000;
const mostLineLength = 2000;

/** The board of a group, by the group's id or by one of its rollouts. */
function readGroupBoard(db: ReadDb, name: string): GroupBoard {
  return db.snapshot(() => {
    const { group, rolloutIds, asked } = findGroup(db, name);
    if (rolloutIds.length > mostMembers) {
      throw new Refusal(
        'group-too-large',
        `This group has ${rolloutIds.length} rollouts; the board shows at most ${mostMembers}.`,
        'Groups this large usually mean that the log names one group for everything. Import it with group ids.',
      );
    }
    const rows = rolloutRows(db, rolloutIds);
    const steps = rolloutIds.map((id) => boardSteps(db, id));
    const numbers = actionNumbers(db, steps);
    const members = rows.map((row, place): BoardMember => {
      const rolloutId = rolloutIds[place] ?? 0;
      const ofRollout = steps[place] ?? [];
      const segments = segmentRows(db, rolloutId);
      const { id, externalId, reward, status, statusDetail, model, trainingStep, excludedFromLoss, score, marked } =
        row;
      return {
        ...{ id, externalId, reward, status, statusDetail, model, trainingStep, excludedFromLoss, score, marked },
        label: row.label,
        tokens: row.tokens,
        trainable: row.trainableTokens,
        tokensEstimated: segments.some((segment) => segment.tokensEstimated),
        weightVersions: weightVersions(db, rolloutId),
        segments: segments.map(({ index, kind, tokens, trainableTokens, axisStart }) => ({
          index,
          kind,
          tokens,
          trainable: trainableTokens,
          axisStart,
          steps: ofRollout.filter((step) => step.segment === index).length,
        })),
        actions: numbers[place] ?? [],
        stepItems: ofRollout.map(({ item }) => item),
        stepSegments: ofRollout.map(({ segment }) => segment),
        stepTokens: ofRollout.map(({ token }) => token),
        markers: markersOf(db, rolloutId).map((marker) => ({
          id: marker.id,
          kind: marker.kind,
          title: marker.ruleTitle,
          score: marker.score,
          weak: marker.weak,
          item: marker.item,
          step: ofRollout.findLastIndex(({ item }) => item <= marker.item),
        })),
      };
    });
    const [first] = rows;
    return {
      group: group === null ? (first?.id ?? name) : `g-${group.id}`,
      title: group?.externalId ?? null,
      run: group?.run ?? first?.runId ?? null,
      trainingStep: group?.trainingStep ?? first?.trainingStep ?? null,
      task: first?.task ?? null,
      members,
      newestVersion: newestVersion(db, asked ?? rolloutIds[0], rolloutIds),
    };
  });
}

/** The largest weight version of the training step and the group; null where there is none or one is not a number. */
function newestVersion(db: ReadDb, of: number | undefined, siblings: readonly number[]): number | null {
  if (of === undefined) return null;
  const versions = stepVersions(db, [...new Set([...batchIds(db, of), ...siblings])]).map(Number);
  return versions.length > 0 && versions.every(Number.isFinite) ? Math.max(...versions) : null;
}

/** Numbers of actions over the siblings; only texts of steps that may still be shared are read. */
function actionNumbers(db: ReadDb, steps: readonly (readonly BoardStep[])[]): number[][] {
  const texts = new Map<number, string>();
  const keys = new Map<string, string>();
  const keyOf = (sequence: number, step: number): string => {
    const parts = steps[sequence]?.[step]?.parts ?? [];
    // Equal bodies are equal texts: most shared steps are keyed once.
    const identity = JSON.stringify(parts.map(({ kind, name, body }) => [kind, name, body]));
    const known = keys.get(identity);
    if (known !== undefined) return known;
    const key = actionKey(actionParts(db, parts, texts));
    keys.set(identity, key);
    return key;
  };
  return prefixNumbers(
    steps.map(({ length }) => length),
    keyOf,
  );
}

function actionParts(db: ReadDb, parts: BoardStep['parts'], texts: Map<number, string>): ActionPart[] {
  const missing = parts.map(({ body }) => body).filter((body) => !texts.has(body));
  if (missing.length > 0) for (const [id, text] of bodyTexts(db, missing)) texts.set(id, text);
  return parts.map(({ kind, name, body }) => ({ kind, name, text: texts.get(body) ?? '' }));
}

/** Where two rollouts part, with both steps as a person reads them, line by line. */
function readDivergence(db: ReadDb, left: number, right: number): GroupDivergence {
  return db.snapshot(() => {
    const steps = [boardSteps(db, left), boardSteps(db, right)];
    const [a = [], b = []] = actionNumbers(db, steps);
    let common = 0;
    while (common < a.length && common < b.length && a[common] === b[common]) common += 1;
    const texts = new Map<number, string>();
    const [one, other] = steps.map((of) => of[common]);
    const read = (step: BoardStep | undefined): string =>
      step === undefined ? '' : actionParts(db, step.parts, texts).map(shownPart).join('\n');
    const lines = lineDiff(read(one), read(other));
    return {
      common,
      left: one === undefined ? null : { item: one.item, segment: one.segment },
      right: other === undefined ? null : { item: other.item, segment: other.segment },
      lines: lines.slice(0, mostLines).map(cutLine),
      more: Math.max(0, lines.length - mostLines),
    };
  });
}

/** A call is headed by its tool; what follows is the text that the step shows. */
function shownPart({ kind, name, text }: ActionPart): string {
  const view = viewOfPart(kind, text);
  return kind === 'tool_call' ? `▸ ${name ?? 'call'}\n${view}` : view;
}

function cutLine(line: DiffLine): DiffLine {
  return { kind: line.kind, left: cut(line.left), right: cut(line.right) };
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= mostLineLength) return text;
  return `${text.slice(0, mostLineLength).toWellFormed()}…`;
}

/** What a reader thread answers about groups. `idOf` gives the row id of a rollout named by either of its ids. */
export function groupReads(db: ReadDb, idOf: (name: string) => number) {
  return {
    groupBoard(args: { readonly id: string }) {
      return readGroupBoard(db, args.id);
    },
    groupDivergence(args: { readonly left: string; readonly right: string }) {
      return readDivergence(db, idOf(args.left), idOf(args.right));
    },
  };
}
