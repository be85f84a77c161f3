// One line of an OpenHands `output.jsonl` as a rollout: ids, outcome and how the run ended.

import type { Json, RolloutDraft } from '../../contract/ingest.ts';
import type { RolloutStatus } from '../../contract/vocabulary.ts';
import { previewOf } from '../emit.ts';
import { get, idText, integer, type JsonObject, leftover, object, text } from '../values.ts';

type KeyOf = (ids: readonly (string | number | null)[]) => string;

/** The rollout of a line. `number` counts from 1 and names lines without an id. */
export function rolloutOfLine(line: JsonObject, number: number, keyOf: KeyOf): RolloutDraft {
  const issue = object(line, 'issue');
  const issueNumber = issue === null ? null : idText(issue, 'number');
  const id = idText(line, 'instance_id') ?? (issueNumber === null ? `run ${number}` : `issue ${issueNumber}`);
  const attempt = integer(line, 'attempt');
  const metadata = object(line, 'metadata') ?? {};
  const config = object(metadata, 'llm_config') ?? object(metadata, 'llm') ?? {};
  const key = keyOf([id, attempt === null ? null : `attempt ${attempt}`]);
  const extra = leftover(line, new Set(['history', 'instance_id', 'attempt']));
  return {
    key,
    externalId: key,
    groupId: id,
    task: id,
    attempt,
    model: text(config, 'model'),
    agent: text(metadata, 'agent_class') ?? 'openhands',
    ...statusOf(line),
    ...rewardOf(line),
    preview: previewOf(text(line, 'instruction') ?? ''),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** `resolved` of the evaluation, or `success` of the resolver; unknown where neither was judged. */
function rewardOf(line: JsonObject): { reward: number | null; rewardDetail?: Json } {
  const test = object(line, 'test_result') ?? {};
  const report = object(test, 'report') ?? {};
  const resolved = get(report, 'resolved') ?? get(test, 'resolved');
  if (typeof resolved === 'boolean') return { reward: Number(resolved), rewardDetail: { resolved, report } };
  const success = get(line, 'success');
  return typeof success === 'boolean' ? { reward: Number(success), rewardDetail: { success } } : { reward: null };
}

function statusOf(line: JsonObject): { status: RolloutStatus; statusDetail: string | null } {
  const error = text(line, 'error');
  if (error === null || error === '') return { status: 'completed', statusDetail: null };
  const limit = /maximum iteration|max(?:imum)? budget|context window|timed? ?out/iu.test(error);
  return { status: limit ? 'truncated' : 'failed', statusDetail: error };
}
