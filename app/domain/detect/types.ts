// What the scanner reads and what it finds. Plain data, so that it crosses a thread boundary as it is.

import type { ChainHop, ItemRow, MarkerOutcome } from '../../contract/records.ts';
import type { ActionVerb } from '../../contract/rule-pack.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { PartKind, SegmentKind } from '../../contract/vocabulary.ts';
import type { Growth } from './growth.ts';
import type { Mapped } from './mapped.ts';

/** One part of a rollout, in log order over all segments. */
export interface ScanPart {
  /** Index of the item in the rollout. */
  readonly item: number;
  readonly segment: number;
  readonly segmentKind: SegmentKind;
  /** Number of the step in the rollout, from 1; null for what is not a step. */
  readonly step: number | null;
  /** Index of the part in its item. */
  readonly part: number;
  readonly kind: PartKind;
  readonly itemKind: ItemRow['kind'];
  readonly role: ItemRow['role'];
  readonly stepKind: ItemRow['stepKind'];
  readonly copied: boolean;
  readonly compactionSummary: boolean;
  readonly toolName: string | null;
  /** The view text (domain/text/view.ts). Every span counts in its UTF-16 units. */
  readonly text: string;
  /**
   * For a `tool_call`: the stored text, that is the arguments' JSON. With it the arguments are told apart exactly; without
   * it they are read from the `key: value` lines of the view text.
   */
  readonly args?: string | null;
  /** Ties an observation to its call; without it observations follow their calls in order. */
  readonly callId?: string | null;
}

/** A rollout as the scanner reads it. User and system parts belong in it: no rule reads them, but a word said there is not a leak. */
export interface ScanRollout {
  readonly id: string;
  readonly parts: readonly ScanPart[];
  /** A person's edit of the task's contract, which then takes the place of what the texts say. */
  readonly contract?: TaskContract | null;
  /** For a rollout that is scanned again and again while it grows. */
  readonly growth?: Growth;
}

/** A match: an exact span of one part's view text. `chain` lists the hops of a pair or flow rule, source first. */
export interface RuleHit {
  readonly rule: string;
  readonly kind: string;
  readonly item: number;
  readonly segment: number;
  readonly step: number | null;
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly score: number;
  readonly weak: boolean;
  readonly chain: readonly ChainHop[];
  readonly outcome: MarkerOutcome;
}

/** A path, URL or file that an action is about, normalised, with where it stands. */
export interface ActionObject {
  readonly verb: ActionVerb;
  /** Forward slashes, `.` and `..` resolved against the known working folder. URLs as they are. */
  readonly path: string;
  readonly isUrl: boolean;
  /** Span in the part's view text. */
  readonly start: number;
  readonly end: number;
}

/** What a write puts in and takes out. `path` is null where the call does not name the file. */
export interface Patch {
  readonly path: string | null;
  readonly added: Mapped | null;
  readonly removed: Mapped | null;
}

/** One typed act of the agent: a simple shell command, a piece of code that is run, or a call of another tool. */
export interface Action {
  readonly verbs: readonly ActionVerb[];
  /** Program or tool name in lower case: `git`, `python`, `web_search`. */
  readonly program: string;
  /** The act's own text after normalisation, mapped to the view text. */
  readonly text: Mapped;
  /** A whole command line, program or call; false for one simple command out of a command line. */
  readonly whole: boolean;
  /** Working folder after the `cd`s of the same call; empty while unknown. */
  readonly cwd: string;
  readonly objects: readonly ActionObject[];
  readonly patches: readonly Patch[];
  /** Why a part of the text was not understood and is only read by patterns; absent when all of it was. */
  readonly unparsed?: string;
}
