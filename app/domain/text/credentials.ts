// Credentials in texts: where keys, tokens and passwords stand, and the one function that masks them. Everything that leaves
// the workspace (exports, what is sent to a judge) goes through it, and so does the count in the import report.

import { type Certainty, lead, type Shape, shapesByAnchor } from './credential-shapes.ts';

export type { Certainty } from './credential-shapes.ts';

/** A credential in a text: UTF-16 units [start, end). The value itself is never carried around. */
export interface FoundCredential {
  readonly kind: string;
  readonly certainty: Certainty;
  readonly start: number;
  readonly end: number;
}

export interface MaskedText {
  /** The text with every credential replaced by `[masked KIND]`. */
  readonly text: string;
  /** What was replaced, at its places in the text that was given. */
  readonly found: readonly FoundCredential[];
}

const shapesOf: ReadonlyMap<string, readonly Shape[]> = new Map(shapesByAnchor);
const titles: ReadonlyMap<string, string> = new Map(
  shapesByAnchor.flatMap(([, shapes]) => shapes.map(({ kind, title }) => [kind, title] as const)),
);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/gu, '\\$&');
/** One pass over a text stops only where a credential may begin. */
const anchors = new RegExp(shapesByAnchor.map(([anchor]) => escaped(anchor)).join('|'), 'g');

/** What a person calls a kind of credential. */
export function credentialTitle(kind: string): string {
  return titles.get(kind) ?? kind;
}

/** Whether anything in a text may be the beginning of a credential: most texts are told from those that hold one by this alone. */
export function mayHoldCredentials(text: string): boolean {
  return text.search(anchors) >= 0;
}

/** The credentials of a text in order, none inside another. Linear in the length of the text. */
export function findCredentials(text: string): readonly FoundCredential[] {
  anchors.lastIndex = 0;
  let found: FoundCredential[] | null = null;
  for (let anchor = anchors.exec(text); anchor !== null; anchor = anchors.exec(text)) {
    const credential = at(text, anchor[0], anchor.index);
    if (credential === null) continue;
    found ??= [];
    found.push(credential);
    anchors.lastIndex = Math.max(anchors.lastIndex, credential.end);
  }
  return found ?? none;
}

const none: readonly FoundCredential[] = [];

function at(text: string, anchor: string, index: number): FoundCredential | null {
  const begin = index - (lead.get(anchor) ?? 0);
  if (begin < 0) return null;
  for (const shape of shapesOf.get(anchor) ?? []) {
    shape.pattern.lastIndex = begin;
    const match = shape.pattern.exec(text);
    const range = match?.indices?.groups?.secret;
    if (range === undefined) continue;
    const [start, end] = range;
    const verdict = shape.check?.(text.slice(start, end)) ?? true;
    if (verdict === false) continue;
    // What is assigned may say by its own shape what it is.
    const own = shape.kind === 'assigned-secret' ? ownShape(text, start, end) : null;
    if (own !== null) return own;
    return { kind: shape.kind, certainty: verdict === true ? shape.certainty : verdict, start, end };
  }
  return null;
}

/** The credential that begins where an assigned value does. */
function ownShape(text: string, start: number, end: number): FoundCredential | null {
  for (const [anchor, shapes] of shapesByAnchor) {
    if (!text.startsWith(anchor, start) || lead.has(anchor) || shapes.length === 0) continue;
    const found = at(text, anchor, start);
    if (found !== null && found.end >= end) return found;
  }
  return null;
}

/** Replaces every credential of a text. Masking what is masked changes nothing. */
export function maskCredentials(text: string): MaskedText {
  const found = findCredentials(text);
  if (found.length === 0) return { text, found };
  let masked = '';
  let from = 0;
  for (const { kind, start, end } of found) {
    masked += `${text.slice(from, start)}[masked ${kind}]`;
    from = end;
  }
  return { text: masked + text.slice(from), found };
}

/**
 * The same for a line of JSON: every string in it is masked as the text that it stands for, and everything else, numbers
 * included, stays as it is written. Gives how many credentials were masked.
 */
export function maskJson(json: string): { readonly json: string; readonly masked: number } {
  if (json.search(anchors) < 0) return { json, masked: 0 };
  let masked = 0;
  // A string of JSON: no quote or backslash that is not escaped.
  const replaced = json.replace(/"(?:[^"\\]|\\.)*"/gsu, (literal) => {
    const value: unknown = JSON.parse(literal);
    if (typeof value !== 'string') return literal;
    const result = maskCredentials(value);
    if (result.found.length === 0) return literal;
    masked += result.found.length;
    return JSON.stringify(result.text);
  });
  return { json: replaced, masked };
}
