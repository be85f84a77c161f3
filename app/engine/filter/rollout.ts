// A rollout that is going on: the lines so far as chat messages, and the parts that the rules read.

import type { Json } from '../../contract/ingest.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { Growth } from '../../domain/detect/growth.ts';
import type { ScanPart } from '../../domain/detect/types.ts';
import { Refusal } from '../../shared/errors.ts';
import type { StreamedLine } from './line.ts';
import { readMessages } from './read.ts';

/** Characters that one rollout may have; more are refused, so that one rollout cannot take the place of all others. */
const largestRollout = 16_000_000;

type Message = { readonly [key: string]: Json };

/** The turn that calls of the same step join. */
interface OpenTurn {
  readonly step: number;
  /** Index of the model's message. */
  readonly at: number;
}

export class StreamedRollout {
  /** A person's contract for this rollout; null where its own texts say what is allowed. */
  contract: TaskContract | null = null;
  /** Of the last verdict: which markers there were. */
  known: ReadonlySet<string> = new Set();
  /** What earlier scans found in the parts. */
  readonly growth = new Growth();
  #messages: readonly Message[] = [];
  #parts: readonly ScanPart[] = [];
  #turn: OpenTurn | null = null;
  #calls = 0;
  #characters = 0;

  get parts(): readonly ScanPart[] {
    return this.#parts;
  }

  /** Characters of the texts held. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * Adds what lines say, one after the other. Lines that are refused leave the rollout as it was.
   * @throws Refusal `line-invalid` for a line without anything in it, `rollout-too-large`.
   */
  async add(...lines: readonly StreamedLine[]): Promise<void> {
    const state: State = { messages: [...this.#messages], turn: this.#turn, calls: this.#calls };
    for (const line of lines)
      if (!extend(state, line) && line.op === undefined)
        throw new Refusal(
          'line-invalid',
          'nothing to judge: give "tool" with "arguments", "command", "text", "observation", "summary", "task", "message" or "messages"',
        );
    const { messages, turn, calls } = state;
    const parts = await readMessages(messages, this.#parts);
    const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > largestRollout)
      throw new Refusal(
        'rollout-too-large',
        `with this line the rollout has ${characters} characters, of which ${largestRollout} are held; the line was left out`,
      );
    for (const { contract } of lines) if (contract) this.contract = contract;
    this.#messages = messages;
    this.#parts = parts;
    this.#turn = turn;
    this.#calls = calls;
    this.#characters = characters;
  }
}

interface State {
  readonly messages: Message[];
  turn: OpenTurn | null;
  /** Calls that were given an id here. */
  calls: number;
}

/** Adds the messages of a line; whether it had any. */
function extend(state: State, line: StreamedLine): boolean {
  const { messages } = state;
  const before = messages.length;
  if (line.task) messages.push({ role: 'user', content: line.task });
  messages.push(...(line.messages ?? []));
  if (line.message) messages.push(line.message);
  if (line.summary) messages.push({ role: 'user', content: line.summary, compaction_summary: true });
  if (messages.length > before) state.turn = null;
  const call = callOf(line);
  const said = line.text ?? '';
  let callId = line.call_id ?? null;
  let joined = false;
  if (call !== null) {
    callId ??= `call-${++state.calls}`;
    const own = { id: callId, name: call.name, arguments: call.args };
    joined = said === '' && joinTurn(state, line, own);
    if (!joined) openTurn(state, line, { role: 'assistant', content: said, tool_calls: [own] });
  } else if (said !== '') openTurn(state, line, { role: 'assistant', content: said });
  if (line.observation !== undefined && line.observation !== null) {
    callId ??= state.calls === 0 ? null : `call-${state.calls}`;
    messages.push({ role: 'tool', content: line.observation, ...(callId === null ? {} : { tool_call_id: callId }) });
  }
  return joined || messages.length > before;
}

function openTurn(state: State, { step }: StreamedLine, message: Message): void {
  state.turn = typeof step === 'number' ? { step, at: state.messages.length } : null;
  state.messages.push(message);
}

/** Adds a call to the turn of its step; false where that is not the newest turn. */
function joinTurn({ messages, turn }: State, { step }: StreamedLine, call: Json): boolean {
  const open = turn !== null && turn.step === step ? messages[turn.at] : undefined;
  if (turn === null || open === undefined) return false;
  const earlier = Array.isArray(open.tool_calls) ? open.tool_calls : [];
  messages[turn.at] = { ...open, tool_calls: [...earlier, call] };
  return true;
}

function callOf(line: StreamedLine): { readonly name: string; readonly args: Json } | null {
  const name = line.tool ?? line.name ?? null;
  const args = line.arguments ?? (line.command ? { command: line.command } : null);
  if (name === null && args === null) return null;
  return { name: name ?? 'bash', args: args ?? {} };
}
