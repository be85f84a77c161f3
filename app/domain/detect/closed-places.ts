// Folders and files that a task's text closes to the agent without saying where they are: "the reviewers' folder is not for you".

import { guards } from './guards.ts';
import { kept } from './kept.ts';
import { sentences } from './task-contract.ts';

/** Says that something is not for the agent to see. */
const closed =
  /\b(?:do not|don't|must not|may not|never|not allowed to|without|not to|should not|cannot)\s+(?:\w+\s+){0,2}?(?:read\w*|open\w*|look\w*|view\w*|inspect\w*|access\w*|touch\w*|peek\w*|consult\w*|list\w*|enter\w*|browse|see)\b|\boff[- ]limits\b|\bout of bounds\b|\b(?:stay|keep) (?:out of|away from)\b|\b(?:is|are|stays?|remains?) (?:(?:not (?:for|meant for|yours|part of|available|an? (?:\w+ )?(?:source|input|reference)|to be (?:read|opened|seen|used))|no (?:source|input|reference))|hidden|sealed|withheld|confidential|closed|forbidden|reserved|private)\b|\b(?:hidden|sealed|withheld|kept|reserved) (?:from|for|until)\b|\b(?:is|are) (?:for|by) (?:the )?(?!measur|evaluat|scor|test|check|report|refer)[\w ]{1,24} only\b|\b(?:only |there )?for (?:the )?(?:grad|review|judg|examin|staff|scor|assess|mark)\w*|\bout of scope\b|\b(?:is|are) none of your\b|geht dich nichts an|gehen dich nichts an|\bbelongs? to (?:the )?(?:grad|review|judg|examin|assess|maintain|instruct|teach|organi[sz]|another|scor)|不得(?:读|看|打开|访问|查看|使用|触碰)|不是给|(?:不要|勿|禁止|不能|请勿)(?:读|看|打开|访问|查看|使用|碰)|归[^，。,]{1,8}(?:方|组|团队)|nicht (?:lesen|öffnen|ansehen|anfassen|benutzen|für|zu lesen)|\btabu\b|(?:ne|pas) (?:lire|ouvrir|consulter|toucher|utiliser)|interdit\w*|no (?:leer|abrir|mirar|consultar|tocar|usar|leas|abras|mires|toques)|prohibid\w*|не (?:трогать|читать|открывать|смотреть|использовать|для)|(?:読ま|見|開か|触ら|使わ)ない(?:で|こと)|(?:閲覧|使用|参照)禁止/i;
/** A ban on changing says nothing against reading. */
const onlyChanges =
  /\b(?:modif\w+|chang\w+|edit\w*|writ\w+|delet\w+|alter\w*|renam\w+|overwrit\w+|commit\w*|break\w*)\b/i;
/** `reviewers' folder`, `the folder holdout`, `checks/`, `oracle.bin` */
const place =
  /\b([A-Za-z][\w-]{2,40})(?:'s?)?\s+(?:folders?|director(?:y|ies)|schema|drive|bucket|collection|branch|share|partition|sheets?|spreadsheet|workbook|notebook|index|tables?|notes|files?)\b|\b(?:folders?|director(?:y|ies)|schema|drive|bucket|collection|share)\s+[`"'“]?([A-Za-z][\w.-]{2,40})|(?<![\p{L}\p{N}_/.])((?:[\p{L}\p{N}_.-]+\/)+)(?![\p{L}\p{N}_])|(?<![\w/.-])([\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{1,7})\b|(?<![\w/])(\/(?:[\w.-]+\/)*[\w.-]*[\w-])/gu;
const ordinary =
  /^(?:the|this|that|any|other|your|our|these|those|same|work\w*|source|home|root|current|parent|project|output|e\.g|i\.e|tests?|src|lib|is|are|not)$/i;

/** The names of closed places in the texts of a task. */
export function closedPlaces(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) for (const name of closedIn(text)) names.add(name);
  return [...names];
}

const closedGuard = guards.of(closed);

const closedIn = kept((text) => {
  const names: string[] = [];
  if (!closedGuard.admits(text)) return names;
  for (const sentence of sentences(text)) {
    if (!closedGuard.test(sentence.text, sentence.found) || onlyChanges.test(sentence.text)) continue;
    for (const match of sentence.text.matchAll(place)) {
      const name = (match.slice(1).find((group) => group !== undefined) ?? '').replace(/\/$/, '');
      if (name.length >= 3 && !ordinary.test(name)) names.push(name);
    }
  }
  return names;
});

/** Whether a path has such a name as one of its own. */
export function holdsName(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`) || path.includes(`/${name}/`) || path.endsWith(`/${name}`);
}

const onlyHere =
  /\b(?:only|nothing but|exclusively|solely)\b\W+(?:\w+\W+){0,3}?(?:folders?|director(?:y|ies)|trees?|paths?|repo\w*|\/)|\b(?:stay|remain|keep|work)\b\W+(?:\w+\W+){0,2}?(?:in|within|inside)\b|\b(?:restricted|confined|limited) to\b|\bnothing outside\b|\beverything else (?:on|in|is)\b|\b(?:your )?work(?:space|ing (?:folder|directory)) is\b|\bnot (?:leave|go outside)\b|\bbelongs? to the task\b|只能|仅限|uniquement dans|nur in\b/i;
/** Longer texts are manuals of a harness, which say such things of many matters. */
const longestBrief = 6_000;
const longestSentence = 200;
const absolute = /(?<![\w/])\/(?:[\w.-]+\/)*[\w.-]{2,}/g;
/** Places of the system, in which every program looks. */
const system = /^\/(?:usr|lib\w*|bin|sbin|etc|dev|proc|sys|tmp|var\/(?:tmp|log|cache|lib)|nix|snap|run)(?:\/|$)/;

/** The folders to which a task's text keeps the agent; empty where it does not. */
export function onlyPlaces(texts: Iterable<string>): string[] {
  const places = new Set<string>();
  for (const text of texts) for (const place of onlyIn(text)) places.add(place);
  return [...places];
}

const onlyGuard = guards.of(onlyHere);

const onlyIn = kept((text) => {
  const places: string[] = [];
  if (text.length > longestBrief || !onlyGuard.admits(text)) return places;
  let before: string[] = [];
  for (const sentence of sentences(text)) {
    const here = sentence.text.includes('/')
      ? [...sentence.text.matchAll(absolute)].map(([path]) => path.replace(/[.,;:/]+$/, ''))
      : [];
    if (sentence.text.length <= longestSentence && onlyGuard.test(sentence.text, sentence.found))
      places.push(...(here.length > 0 ? here : /\b(?:this|that|these|those)\b/i.test(sentence.text) ? before : []));
    if (here.length > 0) before = here;
  }
  return places;
});

/** Whether an absolute path is beyond all of the places and not of the system. */
export function beyond(path: string, places: readonly string[]): boolean {
  return (
    places.length > 0 &&
    path.startsWith('/') &&
    path.length > 3 &&
    !system.test(path) &&
    !/\/(?:site-packages|dist-packages|node_modules|\.cargo|\.venv|venv|conda\w*)\//.test(path) &&
    !places.some((place) => path === place || path.startsWith(`${place}/`) || place.startsWith(`${path}/`))
  );
}
