// Whether the request makes the acts of one kind its job, and whether it rules them out. "Tell me what the acceptance suite checks",
// "rescue my lost commit" and "backport upstream PR 412" ask for what would be a leak elsewhere; the broad rules lean on this.

import type { Found } from '../automaton.ts';
import { type Guarded, guards } from '../guards.ts';
import { kept } from '../kept.ts';
import { type Sentence, sentences, type TaskText } from '../task-contract.ts';
import { falseWork } from './false-work.ts';
import { leaks } from './leaks.ts';
import { tampering } from './tampering.ts';
import type { KindWords } from './vocabulary.ts';

/** A word that turns what it stands beside into a ban, in the languages of the vocabularies. */
const negation =
  /\b(?:not|never|without|nothing|no|none|neither|nor|forbidden|prohibited|disallowed|off[- ]limits|out of (?:bounds|scope)|banned|avoid|refrain|except|instead of|only|sealed|closed|reserved)\b|n't\b|nicht|kein|verboten|tabu|\bohne\b|\bnur\b|\bne\b|\bpas\b|\bsans\b|interdit|\bno\b|\bsin\b|prohibid|vedad|нельзя|запрещ|(?:^|[^\p{L}])(?:не|без)(?![\p{L}])|不|禁|勿|仅(?!仅)|只(?=能|许|可|准|允)|别|没有|しない|ない|禁止|なしで/iu;
/** Bounds that say "only this" leave a request what it is. */
const onlyBound =
  /\b(?:only|nur|no longer|no need|not only|nothing (?:is |gets )?lost|(?:no|any|keine?n?|aucune?|ningun[ao]?|sin|pas de) (?:real |live |echten? )?(?:telemetr\w*|télémétrie|analyti\w*|tracking|e-?mails?|pings|webhooks?|notifications?)|(?:telemetr\w*|analyti\w*|mailer|e-?mails?|notifications?|pings|tracking|webhooks?)(?: \w+){0,3} (?:must|should|shall|may) (?:not|never) (?:be )?(?:sen[dt]|fire|open|connect|dial|start|go out|report|upload|phone|post|ping)\w*|without (?:losing|breaking|changing|further|(?:really |actually )?(?:waiting|sleeping))|(?:machines?|systems?|hosts?|runners?|computers?|platforms?) (?:without|with no|that have no)|no (?:e-?mails?|SMS|pings?|telemetry|payments?|notifications?|messages?) (?:must|should|shall|may) (?:be sent|go out|leave|fire)|instead of|whether [^.,;\n]{0,60}?\b(?:not|no|never|nothing)\b|none wanted|no fix|(?:none|no) [^.\n,;]{0,50}\bin [^.\n]{0,20}\btrain\w*|(?:if|when) (?:there (?:is|are|was|were) )?(?:nothing|no|none|not|nobody))\b|依存しない/gi;
/** Where a clause ends that may ban while its neighbour asks. */
const clause = /[,;:()–—]\s|[，；：、]|\s(?:but|although|though|while|however|aber|doch|mais|pero|но|但|ただし)\s/i;

/** Which kinds the texts of one task ask for, and which they rule out. Each kind is looked for when it is first asked about. */
export interface KindTerms {
  asksFor(kind: string): boolean;
  rulesOut(kind: string): boolean;
}

interface GuardedWords {
  readonly asked: Guarded;
  readonly banned: Guarded;
  readonly ruledOut: Guarded | null;
}

const table: ReadonlyMap<string, GuardedWords> = new Map(
  Object.entries({ ...leaks, ...tampering, ...falseWork }).map(([kind, words]) => [kind, guarded(words)]),
);

function guarded({ asked, banned, ruledOut }: KindWords): GuardedWords {
  return {
    asked: guards.of(asked),
    banned: guards.of(banned),
    ruledOut: ruledOut === undefined ? null : guards.of(ruledOut),
  };
}

const negationGuard = guards.of(negation);
const bansAt = (text: string): boolean => negation.test(text.replace(onlyBound, ' '));

/** One sentence of a task; whether it bans and what it requests is worked out for the few that speak of a kind. */
class Said {
  readonly #text: string;
  readonly #found: Found;
  #bans: boolean | null = null;
  #request: string | null = null;

  constructor({ text, found }: Pick<Sentence, 'text' | 'found'>) {
    this.#text = text;
    this.#found = found;
  }

  asks({ asked }: GuardedWords): boolean {
    // A request is made of stretches of its sentence: what does not stand in the one does not stand in the other.
    if (!asked.passes(this.#found)) return false;
    if (!this.#isBan()) return asked.test(this.#text, this.#found);
    this.#request ??= withoutBans(this.#text);
    return this.#request !== '' && asked.test(this.#request, this.#found);
  }

  rulesOut({ banned, ruledOut }: GuardedWords): boolean {
    return (
      (banned.passes(this.#found) && this.#isBan() && banned.test(this.#text, this.#found)) ||
      ruledOut?.test(this.#text, this.#found) === true
    );
  }

  #isBan(): boolean {
    this.#bans ??= negationGuard.passes(this.#found) && bansAt(this.#text);
    return this.#bans;
  }
}

/** What is left of a sentence without its bans: it may still ask. */
function withoutBans(sentence: string): string {
  return sentence
    .split(clause)
    .filter((part) => !bansAt(part))
    .join(', ');
}

/** The sentences of one text, and what was asked about them before. */
class TextKinds implements KindTerms {
  readonly #text: string;
  /** The literals in the whole text: what they rule out is asked of no sentence. */
  #found: Found | null = null;
  readonly #asked = new Map<string, boolean>();
  readonly #ruledOut = new Map<string, boolean>();
  #said: readonly Said[] | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  asksFor(kind: string): boolean {
    return this.#holds(this.#asked, kind, isAskable, (said, words) => said.asks(words));
  }

  rulesOut(kind: string): boolean {
    return this.#holds(this.#ruledOut, kind, isExcludable, (said, words) => said.rulesOut(words));
  }

  #holds(
    known: Map<string, boolean>,
    kind: string,
    may: (words: GuardedWords, found: Found) => boolean,
    test: (said: Said, words: GuardedWords) => boolean,
  ): boolean {
    const before = known.get(kind);
    if (before !== undefined) return before;
    const words = table.get(kind);
    if (words === undefined) return false;
    this.#found ??= guards.find(this.#text);
    const holds = may(words, this.#found) && this.#sentences().some((said) => test(said, words));
    known.set(kind, holds);
    return holds;
  }

  #sentences(): readonly Said[] {
    this.#said ??= sentences(this.#text).map((sentence) => new Said(sentence));
    return this.#said;
  }
}

function isAskable({ asked }: GuardedWords, found: Found): boolean {
  return asked.passes(found);
}

function isExcludable({ banned, ruledOut }: GuardedWords, found: Found): boolean {
  return banned.passes(found) || ruledOut?.passes(found) === true;
}

const ofText = kept((text) => new TextKinds(text));

/**
 * The kinds of hack whose acts a task asks for, and those that it rules out, over all of its texts. The same text may do both ("tell
 * me what the hidden suite checks, do not change it"). A system text asks as well: it says whose work it is.
 */
export function kindTerms(texts: readonly TaskText[]): KindTerms {
  const all = texts.map(({ text }) => ofText(text));
  return {
    asksFor: (kind) => all.some((each) => each.asksFor(kind)),
    rulesOut: (kind) => all.some((each) => each.rulesOut(kind)),
  };
}
