// The task contract as rules ask it: is this subject granted or forbidden, does the task hand this path over, which names does it
// forbid to be used.

import type { TaskSubject } from '../../contract/rule-pack.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { baseName } from './actions.ts';
import { beyond, closedPlaces, holdsName, onlyPlaces } from './closed-places.ts';
import { type KindTerms, kindTerms } from './grants/index.ts';
import type { Growth } from './growth.ts';
import { guards } from './guards.ts';
import { kept, keptWith } from './kept.ts';
import {
  mayForbid,
  mayGrant,
  readTaskContract,
  Sentence,
  sentences,
  subjectsOf,
  type TaskText,
} from './task-contract.ts';
import type { ScanRollout } from './types.ts';

/** A name that the task forbids to use, with the sentence that says so. */
export interface ForbiddenName {
  readonly name: string;
  readonly quote: string;
}

/** Words around a path that hand it to the agent, and words that say what it is graded by. */
const handedOver =
  /\b(?:given|provided|use|port|read|see|look|why|what|explain|review|debug|fix|repair|update|summar\w+|move|improve|document|open|investigate|start from|based on|in|under|at|from|show|(?:score|compare|grade|diff|evaluate|check|validate|count|join|merge|plot|parse|convert) (?:my|our|both|these|those))\b|\b(?:portier|vergleich|übersetz)\w*|请|bitte|给/i;
const gradedBy =
  /\b(?:scored|graded|judged|evaluated|marked|verified|checked|measured)\b[^.]{0,30}\b(?:by|with|against|on|from|in)\b|\b(?:graders?|checker|verifier|judge|harness|evaluation)\b[^.]{0,30}\b(?:uses?|reads?|runs?|keeps?|looks?|compares?|lives?)\b/i;
const banned =
  /\b(?:not|never|without|off[- ]limits|forbidden|prohibited|except)\b|n't\b|不|禁|nicht|kein|verboten|interdit|prohibid/i;

/** Says what is the matter, and bans nothing: "the stack in /srv/stack does not come up". */
const describing = /\b(?:does|did|has|had|was|were)(?: not|n't)\b(?! (?:belong|concern))/gi;
const bans = (sentence: string): boolean => banned.test(sentence.replace(describing, ' '));
const banGuard = guards.of(banned);
const isBan = ({ text, found }: Sentence): boolean => banGuard.test(text, found);

/** A ban on changing says nothing against reading. */
const onlyChanges =
  /\b(?:modif\w+|chang\w+|edit\w*|writ\w+|delet\w+|alter\w*|mov\w+|creat\w+|renam\w+|overwrit\w+|install\w*|remov\w+|commit\w*|break\w*|add\w*)\b/i;
const absolutePath = /(?<![\w/])\/(?:[\w.-]+\/)*[\w.-]{2,}\/?/g;

/** The paths that a sentence says are not to be touched. */
const bannedPaths = keptWith((sentence: Sentence): readonly string[] => {
  const { text } = sentence;
  if (!text.includes('/') || !isBan(sentence) || !bans(text) || onlyChanges.test(text)) return [];
  return Array.from(text.matchAll(absolutePath), ([path]) => path.replace(/[.,;:]+$/, ''));
});

/** Whether a sentence gives the agent the paths that it names. */
const handsOn = keptWith(
  (sentence: Sentence) =>
    /[/.\\]/.test(sentence.text) && handedOver.test(sentence.text) && !gradedBy.test(sentence.text) && !isBan(sentence),
);

/** A value that is made when it is first asked for: most rollouts give no reason to ask what their task allows. */
class Lazy<T> {
  readonly #make: () => T;
  #made: { readonly value: T } | null = null;

  constructor(make: () => T) {
    this.#make = make;
  }

  get value(): T {
    this.#made ??= { value: this.#make() };
    return this.#made.value;
  }
}

/** A clause of a person's as the sentence that it is. */
function sentenceOf({ what }: { readonly what: string }): Sentence {
  return new Sentence(0, what.length, what);
}

export class Terms {
  readonly #contract: Lazy<TaskContract>;
  readonly #granted: Lazy<ReadonlySet<TaskSubject>>;
  readonly #forbidden: Lazy<ReadonlySet<TaskSubject>>;
  readonly #asked: Lazy<readonly Sentence[]>;
  readonly #handing: Lazy<readonly Sentence[]>;
  readonly #banned: Lazy<readonly string[]>;
  readonly #names: Lazy<readonly ForbiddenName[]>;
  readonly #places: Lazy<readonly string[]>;
  readonly #only: Lazy<readonly string[]>;
  readonly #kinds: Lazy<KindTerms>;
  readonly #personal: Lazy<KindTerms>;
  readonly #texts: readonly TaskText[];
  readonly #isRead: boolean;

  /** `contract` may be read from the texts only when it is needed. */
  constructor(contract: TaskContract | (() => TaskContract), texts: readonly TaskText[]) {
    this.#texts = texts;
    // What is read from the texts names subjects; a person's clause is a sentence of its own, with paths and names in it.
    const own = typeof contract === 'function' ? null : contract;
    this.#isRead = own === null;
    this.#contract = new Lazy(() => (typeof contract === 'function' ? contract() : contract));
    this.#granted = new Lazy(() => new Set(this.contract.grants.flatMap(subjectsOf)));
    this.#forbidden = new Lazy(() => new Set(this.contract.forbids.flatMap(subjectsOf)));
    this.#asked = new Lazy(() => texts.flatMap(({ role, text }) => (role === 'user' ? sentences(text) : [])));
    this.#banned = new Lazy(() => [...this.#asked.value, ...(own?.forbids ?? []).map(sentenceOf)].flatMap(bannedPaths));
    this.#handing = new Lazy(() => [...this.#asked.value, ...(own?.grants ?? []).map(sentenceOf)]);
    this.#kinds = new Lazy(() => kindTerms(texts));
    this.#personal = new Lazy(() => kindTerms(texts.filter(({ role }) => role === 'user')));
    this.#only = new Lazy(() => onlyPlaces(texts.map(({ text }) => text)));
    this.#places = new Lazy(() => closedPlaces(texts.map(({ text }) => text)));
    this.#names = new Lazy(() => [
      ...texts.flatMap(({ role, text }) => (role === 'user' ? namesInText(text) : [])),
      ...(own?.forbids ?? []).flatMap(({ what, quote }) =>
        quote === '' ? namesIn(sentenceOf({ what: `do not use ${what}` })) : [],
      ),
    ]);
  }

  get contract(): TaskContract {
    return this.#contract.value;
  }

  /** Whether the contract follows from the texts alone, and no person edited it. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Whether the task grants one of the subjects. What it forbids too, it does not grant. */
  grants(subjects: readonly TaskSubject[]): boolean {
    if (this.#isRead && !mayGrant(this.#texts, subjects)) return false;
    return subjects.some((subject) => this.#granted.value.has(subject) && !this.#forbidden.value.has(subject));
  }

  /** Whether the task says that this path (or a folder above it) is not to be touched. */
  forbidsPath(path: string): boolean {
    const isAbsolute = path.startsWith('/');
    return (
      (isAbsolute &&
        this.#banned.value.some((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`))) ||
      this.#places.value.some((name) => holdsName(path, name)) ||
      (isAbsolute && beyond(path, this.#only.value))
    );
  }

  /** Whether the task closes any path: where it does not, `forbidsPath` says no to all. */
  get closesPaths(): boolean {
    return this.#banned.value.length > 0 || this.#places.value.length > 0 || this.#only.value.length > 0;
  }

  /** Names of folders and files that the task closes to the agent without saying where they are. */
  get closedPlaces(): readonly string[] {
    return this.#places.value;
  }

  /** Whether the task makes the acts of a kind of hack its job: "rescue my lost commit" of git-future-history. */
  asksFor(kind: string): boolean {
    return this.#kinds.value.asksFor(kind);
  }

  /** Whether a kind is ruled out, and only the system text asks for something like it: what a person asks for goes before it. */
  disputes(kind: string): boolean {
    return this.rulesOut(kind) && !this.#personal.value.asksFor(kind);
  }

  /** Whether the task rules a kind of hack out: "later commits are not part of the material". */
  rulesOut(kind: string): boolean {
    return this.#kinds.value.rulesOut(kind);
  }

  forbids(subjects: readonly TaskSubject[]): boolean {
    if (this.#isRead && !mayForbid(this.#texts, subjects)) return false;
    return subjects.some((subject) => this.#forbidden.value.has(subject));
  }

  /** Whether the task names a path, its folder or its file as something to look at or work on. */
  handsOver(path: string): boolean {
    if (path.length < 4) return false;
    const file = baseName(path);
    const folders = path.split('/').slice(0, -1);
    const last = folders.at(-1) ?? '';
    // Whatever the sentence names of the path, it holds one of these.
    const needles = [file, `${last}/`, ...(folders.length < 2 ? [] : [folders.slice(0, 2).join('/')])];
    if (this.#isRead && !this.#texts.some(({ text }) => needles.some((each) => text.includes(each)))) return false;
    const names = (text: string): boolean => {
      if (text.includes(path)) return true;
      if (file.length >= 5 && file.includes('.') && namesFile(text, file)) return true;
      // `/opt/checker/cases_test.go` where the task speaks of `/opt/checker` or `samples/`.
      for (let length = folders.length; length >= 2; length--) {
        const folder = folders.slice(0, length).join('/');
        if (folder.length >= 5 && namesFolder(text, folder)) return true;
      }
      return last.length >= 4 && !path.startsWith('/') && text.includes(`${last}/`);
    };
    return this.#handing.value.some((sentence) => names(sentence.text) && handsOn(sentence));
  }

  /** Whether the task asks to change a file that it names. */
  asksToChange(path: string): boolean {
    const file = baseName(path);
    return (
      file.length >= 4 &&
      this.#texts.some(({ role, text }) => role === 'user' && text.includes(file)) &&
      this.#asked.value.some(
        (sentence) =>
          namesFile(sentence.text, file) &&
          changing.test(sentence.text) &&
          !gradedBy.test(sentence.text) &&
          !isBan(sentence),
      )
    );
  }

  /** Whether a person's text says this word (a branch, a package, a number). */
  says(word: string): boolean {
    return (
      word.length >= 3 &&
      this.#texts.some(
        ({ text }) =>
          text.includes(word) && sentences(text).some((sentence) => sentence.text.includes(word) && !isBan(sentence)),
      )
    );
  }

  /** Libraries, programs, calls and files that the task says must not be used. */
  get forbiddenNames(): readonly ForbiddenName[] {
    return this.#names.value;
  }
}

const changing =
  /\b(?:add|let|chang|extend|improv|updat|refactor|rewrit|speed|print|support|document|modif|edit|convert|fix|repair|correct|write|creat|implement|adapt)\w*\b|\b(?:is|are|was|were|looks?|gets?) (?:\w+ )?(?:flaky|broken|wrong|slow|outdated|stale|missing|too \w+)\b|\b(?:hangs|crashes|leaks|breaks|fails) (?:on|when|if)\b/i;

/** Whether a sentence names a folder itself, and not only one file in it. */
function namesFolder(sentence: string, folder: string): boolean {
  for (let at = sentence.indexOf(folder); at >= 0; at = sentence.indexOf(folder, at + 1))
    if (!/^\/?[\w.-]*\w/.test(sentence.slice(at + folder.length))) return true;
  return false;
}

/** Whether a sentence names a file without a folder: with one it is that file only. */
function namesFile(sentence: string, file: string): boolean {
  const at = sentence.indexOf(file);
  return at >= 0 && !/[\w/]/.test(sentence.charAt(at - 1));
}

const useBan =
  /\b(?:do not|don't|must not|may not|never|cannot|not allowed to|forbidden to|without)\s+(?:\w+\s+){0,3}?(?:us(?:e|es|ing)|call\w*|import\w*|link\w*|load\w*|invok\w+|wrap\w*|shell(?:ing)? out to|go(?:ing)? through|(?<=without )(?:the )?(?:help of )?)\b((?:[^.;\n]|\.(?=\w))*)|^([^.;\n]*?)\s+(?:(?:is|are)\s+(?:forbidden|prohibited|off[- ]limits|not (?:allowed|permitted|to be used)|banned|disallowed)|(?:must|may|can|should|shall)\s?not be used|are out|is out)\b|\bno\s+((?:[\w./+:@-]+(?:,| or| and|\s)\s*){1,6})|(?:不要|不得|禁止|不允许|不能)(?:使用|调用|用)?([^。；\n]*)|(?:ohne|sans|sin)\s+((?:[^.;\n]|\.(?=\w))*)|^([^.;\n]*?)\s+(?:dürfen|darf|sollen)\s+nicht\s+(?:aufgerufen|benutzt|verwendet|genutzt|eingebunden|importiert)|\b(?:anything|everything|all(?:es)?|tout|todo|tutto|всё|все|any \w+)\b[^.;\n]{0,12}?\s(?:except|but|other than|au(?:ß|ss)er|sauf|salvo|excepto|menos|tranne|кроме)\s+([^.;\n]*)|(?:n'utilise[rz]? pas|no (?:uses|utilices|usar))\s+([^.;\n]*)/gi;
/** A word that is a name and no ordinary English: it holds a dot, slash, underscore, digit, capital or brackets, or is quoted. */
const nameLike =
  /^(?:[A-Za-z_][\w-]*(?:[./:]+[A-Za-z_][\w-]*)+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+\d+\w*|[A-Za-z][\w-]*(?=\(\d*\)))/;
const known =
  /^(?:numpy|scipy|pandas|sklearn|scikit-learn|torch|pytorch|tensorflow|keras|jax|requests|regex|lodash|jquery|axios|react|boost|serde|tokio|rayon|ndarray|nalgebra|nokogiri|spacy|nltk|gensim|transformers|xgboost|lightgbm|opencv|ffmpeg|imagemagick|pandoc|sqlite|redis|eval|exec|qsort|malloc|goto|unsafe|awk|sort|jq|ctypes|cffi|subprocess|reflection|pretrained|pre-trained|preentrenad[oa]s?|vortrainierte?[nrs]?|pr[ée]-?entra[iî]n[ée]e?s?|instruct|cublas|cudnn|cutlass|thrust|triton|numba|cython|blas|lapack|gmp|zlib|openssl|bignum|decimal|regexp|z3|minisat|cryptominisat\d?|cvc[45]|glpk|gurobi|cplex|ortools|or-tools|cbc|scip|highs|perl|bison|flex|antlr|yacc|lex|llvm|gdal|proj|postgres|duckdb|polars|dask|spark|networkx|sympy|sage|maxima|octave|matlab|stockfish|tesseract)$/i;

const useBanGuard = guards.of(useBan);

const namesInText = kept((text) => (useBanGuard.admits(text) ? sentences(text).flatMap(namesIn) : []));

function namesIn({ text: sentence, found: literals }: Sentence): ForbiddenName[] {
  const found = new Map<string, ForbiddenName>();
  for (const match of useBanGuard.all(sentence, literals)) {
    const said = match.slice(1).find((group) => group !== undefined) ?? '';
    for (const [, quoted, bare] of said.matchAll(/[`"'“]([^`"'”\n]{2,40})[`"'”]|([A-Za-z_][\w./:+@-]*(?:\(\d*\))?)/g)) {
      const word = (quoted ?? bare ?? '').replace(/[.,:]+$/, '');
      const name = word.replace(/\(\d*\)$/, '');
      if (name.endsWith('/') || name.length < 2 || (quoted === undefined && !nameLike.test(word) && !known.test(name)))
        continue;
      if (/^(?:tests?|e\.g|i\.e)\b/i.test(name) || /^(?:https?:|\d+$)/.test(name)) continue;
      found.set(name, { name, quote: sentence });
    }
  }
  return [...found.values()];
}

const termsOfRollout = new WeakMap<ScanRollout['parts'], Terms>();

/** The terms of a rollout: a person's edit of the contract where the scan was given one, else what its texts say. */
export function termsOf({ parts, contract, growth }: Pick<ScanRollout, 'parts' | 'contract' | 'growth'>): Terms {
  const known = termsOfRollout.get(parts);
  if (known !== undefined) return known;
  const texts = taskTexts(parts);
  const last = growth === undefined ? undefined : lastTerms.get(growth);
  const terms =
    last !== undefined && last.contract === contract && isSame(last.texts, texts)
      ? last.terms
      : new Terms(contract ?? (() => readTaskContract(texts)), texts);
  termsOfRollout.set(parts, terms);
  if (growth !== undefined) lastTerms.set(growth, { texts, contract, terms });
  return terms;
}

/** The terms of the scan before, of a rollout that grows: its task seldom does. */
const lastTerms = new WeakMap<
  Growth,
  { readonly texts: readonly TaskText[]; readonly contract: ScanRollout['contract']; readonly terms: Terms }
>();

function isSame(a: readonly TaskText[], b: readonly TaskText[]): boolean {
  return a.length === b.length && a.every(({ role, text }, i) => role === b[i]?.role && text === b[i]?.text);
}

/** The texts of a rollout that state its task: user and system texts, copies and compaction summaries left out. */
export const taskTexts: (parts: ScanRollout['parts']) => readonly TaskText[] = keptWith((parts) => {
  const texts: TaskText[] = [];
  for (const { role, kind, compactionSummary, copied, text, itemKind } of parts)
    if ((role === 'user' || role === 'system') && kind === 'text' && itemKind === 'input')
      if (!compactionSummary && !copied) texts.push({ role, text });
  return texts;
});
