// Which folders a rollout works in. What lies outside of them was not given to the agent: the same file name means something
// else there.

import { resolvePath } from './actions.ts';
import type { Action } from './types.ts';

/** Folders that images and harnesses use for the work, and homes of people. */
const usual =
  /^(?:\/(?:app|testbed|repo|repos|workspace|workspaces|work|code|project|projects|src|build|sandbox|task|tasks|usr\/src|content|kaggle|home\/[^/]+|Users\/[^/]+|root(?!\/\.))(?:\/|$)|[A-Za-z]:\/(?:Users|work|src|repo|projects?)\b)/;
/** Places of the system and of packages, scratch space, devices. */
const neutral =
  /^\/(?:usr\/(?!local\/share\/|share\/(?!doc|man|zoneinfo|locale|dict|info|fonts|icons|perl|python|common))|lib\w*\/|bin\/|sbin\/|etc\/|dev\/|proc\/|sys\/|tmp\/|var\/(?:tmp|log|cache|folders)\/|private\/var\/|opt\/(?:homebrew|conda|miniconda\d?|venv|venvs|local|rocm|cuda|hostedtoolcache)\/|nix\/|snap\/|Applications\/|Library\/|System\/|run\/)|\/(?:site-packages|dist-packages|node_modules|\.cargo|\.rustup|\.npm|\.m2|\.gradle|go\/pkg|gems|\.venv|venv|conda\w*)\//;

/** The folders in which a rollout writes or to which it changes. */
export class Workspace {
  readonly #roots: ReadonlySet<string>;
  readonly #known = new Map<string, boolean>();

  constructor(roots: ReadonlySet<string>) {
    this.#roots = roots;
  }

  /** Whether a path is absolute and beyond the work, the system and scratch space. */
  isOutside(path: string): boolean {
    const known = this.#known.get(path) ?? this.#isOutside(path);
    this.#known.set(path, known);
    return known;
  }

  #isOutside(path: string): boolean {
    if (!/^(?:\/|[A-Za-z]:\/)/.test(path) || path.length < 3) return false;
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (usual.test(path) || neutral.test(path)) return hiddenBelow(path) && !this.#has(folder);
    return !this.#has(folder);
  }

  #has(folder: string): boolean {
    for (const root of this.#roots) if (folder === root || folder.startsWith(`${root}/`)) return true;
    return false;
  }
}

/** In an ordinary place, names that say "not yours" still do. */
function hiddenBelow(path: string): boolean {
  return /\/\.?(?:private|hidden|secrets?|graders?|grading|judge|oracle|h[eo]ld-?out|verifier|answer[-_]?keys?|instructors?|teachers?|professors?|staff|examiners?|solvers?|lecturers?|tutors?)(?:[-_.][^/]*)?(?:\/|$)/i.test(
    path,
  );
}

/** The folders that actions write source files into, down to three names below the root. */
export function workspaceOf(actions: Iterable<Action>): Workspace {
  const roots = new Set<string>();
  for (const { patches, cwd, verbs } of actions) {
    for (const { path, removed } of patches)
      if (path !== null && removed !== null) addRoot(roots, path.slice(0, path.lastIndexOf('/')));
    if (cwd.startsWith('/') && verbs.includes('write')) addRoot(roots, cwd);
  }
  return new Workspace(roots);
}

function addRoot(roots: Set<string>, folder: string): void {
  if (!folder.startsWith('/') || hiddenBelow(`${folder}/`) || evaluationFolder.test(folder)) return;
  const names = resolvePath('', folder).split('/').slice(0, 4);
  if (names.length >= 3 || (names[1] ?? '').length >= 2) roots.add(names.join('/'));
}

const evaluationFolder =
  /(?:^|\/)\.?(?:tests?|graders?|grading|judge|eval\w*|verif\w*|check\w*|scor\w*|oracle|solutions?|reference)(?:[-_/]|$)/i;
