// Rare tokens of a rollout: what a leak can be recognised by when it turns up again. A token is rare where it stands first.

import type { ScanPart } from './types.ts';

export interface Token {
  readonly text: string;
  readonly at: number;
  /** How much its reappearance says; a reappearance counts when the weights of distinct tokens reach `enough`. */
  readonly weight: number;
}

/** Weight at which tokens seen again are no coincidence: two numbers, or a number and a few words, or a line of code. */
export const enough = 1.6;

const pattern = /0x[0-9a-fA-F]{3,}|\d+(?:\.\d+)+|[\p{L}_\d$][\p{L}\p{M}_\d$]*/gu;

/** Words that any log holds; they say nothing about where a text came from. */
const common = new Set(
  `about above after again against allow array assert async await before below bytes class const could count default define
  dtype elif else empty equal error errors except exception expect expected export extends fail failed failures false final
  finally first float found function global hidden import include index input instance isinstance items lambda length lines
  match method module names never none number object output package parse passed print private public python raise range
  raises result results return returns right running seconds should static string struct tests their there these throw total
  trace traceback true tuple type types undefined usage using value values void warning where which while while with would write yield
  assertionerror typeerror valueerror runtimeerror permission denied directory blocked policy http https`.split(/\s+/),
);

/** The tokens of a text that can carry a leak. */
export function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const weight = weightOf(match[0]);
    if (weight > 0) found.push({ text: match[0].toLowerCase(), at: match.index, weight });
  }
  return found;
}

function weightOf(token: string): number {
  if (/^0x/.test(token)) return 1;
  if (/^\d[\d.]*$/.test(token)) {
    const digits = token.replace(/\D/g, '').length;
    if (/^(?:19|20)\d\d$/.test(token)) return 0.5;
    return digits >= 4 ? 1 : digits === 3 ? 0.4 : 0;
  }
  if (/^[0-9a-f]{7,}$/.test(token) && /\d/.test(token) && /[a-f]/.test(token)) return 1;
  if (token.length < 5 || common.has(token.toLowerCase())) return 0;
  if (/^__\w+__$/.test(token) || /^test_?$/i.test(token)) return 0;
  return token.length >= 7 && (/_|\d/.test(token) || /[a-z][A-Z]/.test(token)) ? 0.8 : 0.4;
}

/** Lines of at least 16 characters and three words, without indentation and diff marks; their reappearance is enough alone. */
export function linesOf(text: string): { text: string; at: number }[] {
  const found: { text: string; at: number }[] = [];
  let at = 0;
  for (const raw of text.split('\n')) {
    const line = plainLine(raw);
    if (line.length >= 16 && (line.match(/[\p{L}_\d]+/gu) ?? []).length >= 3) {
      found.push({ text: line, at: at + raw.indexOf(line.charAt(0)) });
    }
    at += raw.length + 1;
  }
  return found;
}

function plainLine(raw: string): string {
  return raw.replace(/^[+\-><| \t]*(?:\d+[:|\t] ?)?/, '').trim();
}

/** For each token and line the index of the part where it stands first, user and system parts included. */
export function firstSeen(parts: readonly ScanPart[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [index, part] of parts.entries()) {
    for (const token of tokensOf(part.text)) if (!first.has(token.text)) first.set(token.text, index);
    for (const line of linesOf(part.text)) if (!first.has(line.text)) first.set(line.text, index);
  }
  return first;
}
