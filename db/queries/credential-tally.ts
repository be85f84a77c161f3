// Counts the credentials in the texts of a source while they are written. Their values are never kept: what stays is an
// alert a kind, with the first place.

import type { AlertDraft, Place } from '../../app/contract/ingest.ts';

/** A credential in a text, as far as the report needs it. */
interface Credential {
  readonly kind: string;
  readonly certainty: 'definite' | 'likely';
}
/** Finds the credentials of a text, and says what a kind is called. */
export interface CredentialFinder {
  find(text: string): readonly Credential[];
  title(kind: string): string;
}

/** Prefix of the kinds of alerts that count credentials. */
const alertPrefix = 'credential-';
/** Texts remembered as seen; a log with more forgets the older ones, which only costs another look. */
const seenKept = 262_144;

interface Tallied {
  readonly first: AlertDraft;
  readonly rolloutId: number | null;
  count: number;
}

/** The tally of one source. A text that the log repeats is looked at, and counted, once. */
export class CredentialTally {
  readonly #finder: CredentialFinder;
  #seen = new Set<number>();
  #found = new Map<string, Tallied>();

  constructor(finder: CredentialFinder) {
    this.#finder = finder;
  }

  /** Looks at a text that is stored under `bodyId`. */
  look(bodyId: number, text: string, rolloutId: number | null, place: Place | undefined): void {
    if (this.#seen.has(bodyId)) return;
    if (this.#seen.size >= seenKept) this.#seen = new Set();
    this.#seen.add(bodyId);
    for (const { kind, certainty } of this.#finder.find(text)) {
      const key = `${kind} ${certainty}`;
      const known = this.#found.get(key);
      if (known !== undefined) {
        known.count++;
        continue;
      }
      this.#found.set(key, { first: alertFor(kind, certainty, this.#finder.title(kind), place), rolloutId, count: 1 });
    }
  }

  /** What was found since the last call, one alert a kind. */
  take(): { readonly rolloutId: number | null; readonly alert: AlertDraft }[] {
    if (this.#found.size === 0) return [];
    const alerts = [...this.#found.values()].map(({ first, rolloutId, count }) => ({
      rolloutId,
      alert: { ...first, count },
    }));
    this.#found = new Map();
    return alerts;
  }

  /** Forgets what a rolled-back transaction had brought. */
  forget(): void {
    this.#seen = new Set();
    this.#found = new Map();
  }
}

function alertFor(
  kind: string,
  certainty: Credential['certainty'],
  title: string,
  place: Place | undefined,
): AlertDraft {
  const sure = certainty === 'definite' ? 'by its shape' : 'probably, by where it stands';
  return {
    kind: alertPrefix + kind,
    severity: certainty === 'definite' ? 'warning' : 'info',
    message: `The texts hold a credential (${title}, ${sure}). It is masked in every export; if it still works, revoke it.`,
    ...(place === undefined ? {} : { place }),
  };
}
