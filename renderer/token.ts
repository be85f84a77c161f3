// The host's token: it arrives in the URL fragment, moves to sessionStorage (so that a reload keeps it) and leaves the
// address bar (so that a copied link or a screenshot does not give it away).

const storageKey = 'rollscope-token';

/** Splits a location hash into the token (null when there is none) and the hash without it, route kept. */
export function splitToken(hash: string): { token: string | null; rest: string } {
  const found = /(^#|[?&])token=([^&/]+)/.exec(hash);
  if (found === null) return { token: null, rest: hash };
  const [match, lead = '', value = ''] = found;
  const before = hash.slice(0, found.index);
  const after = hash.slice(found.index + match.length).replace(/^&/, '');
  const rest = lead === '#' ? after : after === '' ? before : `${before}${lead}${after}`;
  return { token: decodeURIComponent(value), rest: rest === '' ? '' : rest.startsWith('#') ? rest : `#${rest}` };
}

/** Takes the token from the address or from the session; null when neither has one. */
export function takeToken(): string | null {
  const { token, rest } = splitToken(window.location.hash);
  if (token === null) return sessionStorage.getItem(storageKey);
  sessionStorage.setItem(storageKey, token);
  window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}${rest}`);
  return token;
}
