// Every state of the app as a URL: the hash is the route. Screens read `useRoute` and change it by `navigate`; there is
// no other navigation state.

import { useSyncExternalStore } from 'react';
import { type AgreementTarget, agreementTargets, type Verdict, verdicts } from '../app/contract/index.ts';

export interface LibraryRoute {
  readonly screen: 'library';
  /** Filter in its text form (domain/filter). */
  readonly where?: string | undefined;
  /** Sort keys, comma separated, `-` for descending: `-score,reward`. */
  readonly sort?: string | undefined;
  /** Search text. */
  readonly q?: string | undefined;
  /** Id of the selected rollout. */
  readonly sel?: string | undefined;
  /** Rows under headings by task or by group. */
  readonly by?: 'task' | 'group' | undefined;
}

export interface RolloutRoute {
  readonly screen: 'rollout';
  readonly id: string;
  readonly seg?: number | undefined;
  readonly item?: number | undefined;
  readonly marker?: string | undefined;
  /** Estimator run shown, or `logged`. */
  readonly run?: string | undefined;
  readonly find?: string | undefined;
}

export interface FilterRoute {
  readonly screen: 'filter';
  /** Threshold under trial, 0..1; the pack's when absent. */
  readonly threshold?: number | undefined;
}

export interface JudgeRoute {
  readonly screen: 'judge';
  /** The prompt instead of the request. */
  readonly view?: 'prompt' | undefined;
  /** The prompt beside the shipped one. */
  readonly compare?: true | undefined;
}

export interface AgreementRoute {
  readonly screen: 'agreement';
  /** What is compared; rollouts when absent. */
  readonly on?: AgreementTarget | undefined;
  /** The pair of annotators whose table is shown; the one with most in common when absent. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  /** What the list holds: everything compared, a cell of the pair's table, or a kind; the disputed when all are absent. */
  readonly show?: 'shared' | undefined;
  readonly cell?: `${Verdict}-${Verdict}` | undefined;
  readonly kind?: string | undefined;
  /** For a kind: named by all of the annotators, or by some when absent. */
  readonly named?: 'all' | undefined;
  /** Id of the selected entry. */
  readonly sel?: string | undefined;
}

export interface WhatIfRoute {
  readonly screen: 'what-if';
  /** The rollout in focus, by either of its ids. */
  readonly id: string;
  /** What the figures are over; the group when absent. */
  readonly over?: 'step' | undefined;
  /** What the strips show; the advantage when absent. */
  readonly show?: 'signal' | undefined;
  /** The two settings in their text form (data/what-if-setting.ts). */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  /** Column that sorts the figures, `-` for descending. */
  readonly sort?: string | undefined;
}

export interface GroupRoute {
  readonly screen: 'group';
  /** A group (`g-12`) or one of its rollouts. */
  readonly id: string;
  /** The selected sibling, and the one that the others are compared with. */
  readonly sel?: string | undefined;
  readonly ref?: string | undefined;
  /** What lanes are laid out by; steps when absent. */
  readonly by?: 'tokens' | undefined;
  /** Order of the lanes; by reward when absent. */
  readonly sort?: 'import' | 'steps' | 'divergence' | undefined;
  /** Convention of the baseline (domain/group/conventions.ts). */
  readonly base?: string | undefined;
}

export interface ImportsRoute {
  readonly screen: 'imports';
  /** Id of the file that is open. */
  readonly file?: number | undefined;
  /** Byte of the file around which its raw bytes are shown. */
  readonly at?: number | undefined;
  /** The columns of the file are being mapped. */
  readonly map?: 'columns' | undefined;
}

export type Route =
  | LibraryRoute
  | RolloutRoute
  | FilterRoute
  | AgreementRoute
  | JudgeRoute
  | WhatIfRoute
  | GroupRoute
  | ImportsRoute
  | { readonly screen: 'settings' };

const cells = verdicts.flatMap((a) => verdicts.map((b) => `${a}-${b}` as const));

/** The route of a location hash. Unknown screens and unreadable parameters fall back to the library. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const query = new URLSearchParams(search);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const count = (name: string): number | undefined => {
    const value = query.get(name);
    return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  const [screen = '', id = ''] = path.split('/');
  switch (screen) {
    case 'rollout': {
      if (id === '') return { screen: 'library' };
      return {
        screen,
        id: decode(id),
        seg: count('seg'),
        item: count('item'),
        marker: text('marker'),
        run: text('run'),
        find: text('find'),
      };
    }
    case 'imports':
      return { screen, file: count('file'), at: count('at'), map: text('map') === 'columns' ? 'columns' : undefined };
    case 'filter': {
      const threshold = Number.parseFloat(text('threshold') ?? '');
      return { screen, threshold: threshold >= 0 && threshold <= 1 ? threshold : undefined };
    }
    case 'agreement':
      return {
        screen,
        on: agreementTargets.find((target) => target === text('on')),
        a: text('a'),
        b: text('b'),
        show: text('show') === 'shared' ? 'shared' : undefined,
        cell: cells.find((cell) => cell === text('cell')),
        kind: text('kind'),
        named: text('named') === 'all' ? 'all' : undefined,
        sel: text('sel'),
      };
    case 'what-if': {
      if (id === '') return { screen: 'library' };
      return {
        screen,
        id: decode(id),
        over: text('over') === 'step' ? 'step' : undefined,
        show: text('show') === 'signal' ? 'signal' : undefined,
        a: text('a'),
        b: text('b'),
        sort: text('sort'),
      };
    }
    case 'group': {
      if (id === '') return { screen: 'library' };
      const sort = text('sort');
      return {
        screen,
        id: decode(id),
        sel: text('sel'),
        ref: text('ref'),
        by: text('by') === 'tokens' ? 'tokens' : undefined,
        sort: sort === 'import' || sort === 'steps' || sort === 'divergence' ? sort : undefined,
        base: text('base'),
      };
    }
    case 'judge':
      return {
        screen,
        view: text('view') === 'prompt' ? 'prompt' : undefined,
        compare: text('compare') === 'true' ? true : undefined,
      };
    case 'settings':
      return { screen };
    default: {
      const by = text('by');
      return {
        screen: 'library',
        where: text('where'),
        sort: text('sort'),
        q: text('q'),
        sel: text('sel'),
        by: by === 'task' || by === 'group' ? by : undefined,
      };
    }
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The location hash of a route; also the `href` of a link to it. Empty parameters are left out. */
export function formatRoute(route: Route): string {
  const { screen, ...rest } = route;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (name !== 'id' && value !== undefined && value !== '') query.set(name, String(value));
  }
  const path = 'id' in route ? `${screen}/${encodeURIComponent(route.id)}` : screen;
  const search = query.toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

/** Goes to a route. `replace` for changes that `Back` should skip, such as a moved selection. */
export function navigate(route: Route, options: { readonly replace?: boolean } = {}): void {
  const hash = formatRoute(route);
  if (hash === window.location.hash) return;
  if (options.replace === true) {
    window.history.replaceState(null, '', hash);
    // replaceState fires no event of its own.
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    window.location.hash = hash;
  }
}

let lastLibrary: LibraryRoute = { screen: 'library' };

/** The library as it was last seen, for "back to the library" from a rollout. */
export function lastLibraryRoute(): LibraryRoute {
  return lastLibrary;
}

let cachedHash: string | null = null;
let cachedRoute: Route = { screen: 'library' };

/** The current route; the same object as long as the hash is the same. */
export function currentRoute(): Route {
  const hash = window.location.hash;
  if (hash !== cachedHash) {
    cachedHash = hash;
    cachedRoute = parseRoute(hash);
    if (cachedRoute.screen === 'library') lastLibrary = cachedRoute;
  }
  return cachedRoute;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** The current route, kept current. */
export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}
