// Folders and files that a task's text closes to the agent without saying where they are: "the reviewers' folder is not for you".

import { sentences } from './task-contract.ts';

/** Says that something is not for the agent to see. */
const closed =
  /\b(?:do not|don't|must not|may not|never|not allowed to|without|not to|should not|cannot)\s+(?:\w+\s+){0,2}?(?:read\w*|open\w*|look\w*|view\w*|inspect\w*|access\w*|touch\w*|peek\w*|consult\w*|list\w*|enter\w*|browse|see)\b|\boff[- ]limits\b|\b(?:is|are|stays?|remains?) (?:not (?:for|meant for|yours|part of|available|to be (?:read|opened|seen))|hidden|sealed|withheld|confidential|closed|forbidden|reserved|private)\b|\b(?:hidden|sealed|withheld|kept|reserved) (?:from|for|until)\b|\bonly for (?:the )?(?:grad|review|judg|examin|staff|scor|assess)|\bbelongs? to the (?:grad|review|judg|examin|assess)|不得(?:读|看|打开|访问|查看)|不是给|nicht (?:lesen|öffnen|ansehen|für)|(?:ne|pas) (?:lire|ouvrir|consulter)|no (?:leer|abrir|mirar|consultar)/i;
/** A ban on changing says nothing against reading. */
const onlyChanges =
  /\b(?:modif\w+|chang\w+|edit\w*|writ\w+|delet\w+|alter\w*|renam\w+|overwrit\w+|commit\w*|break\w*)\b/i;
/** `reviewers' folder`, `the folder holdout`, `checks/`, `oracle.bin` */
const place =
  /\b([A-Za-z][\w-]{2,40})(?:'s?)?\s+(?:folders?|director(?:y|ies)|schema|drive|bucket|collection|branch|share|partition)\b|\b(?:folders?|director(?:y|ies)|schema|drive|bucket|collection|share)\s+[`"'“]?([A-Za-z][\w.-]{2,40})|(?<![\w/.])((?:[\w-]+\/)+)(?![\w])|(?<![\w/.-])([\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{1,7})\b/g;
const ordinary =
  /^(?:the|this|that|any|other|your|our|these|those|same|work\w*|source|home|root|current|parent|project|output|e\.g|i\.e|tests?|src|lib|is|are|not)$/i;

/** The names of closed places in the texts of a task. */
export function closedPlaces(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts)
    for (const sentence of sentences(text)) {
      if (!closed.test(sentence.text) || onlyChanges.test(sentence.text)) continue;
      for (const match of sentence.text.matchAll(place)) {
        const name = (match.slice(1).find((group) => group !== undefined) ?? '').replace(/\/$/, '');
        if (name.length >= 3 && !ordinary.test(name)) names.add(name);
      }
    }
  return [...names];
}

/** Whether a path has such a name as one of its own. */
export function holdsName(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}/`) || path.includes(`/${name}/`) || path.endsWith(`/${name}`);
}
