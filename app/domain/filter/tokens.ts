// The words of a filter's text, and a reader over them.

import { filterLimits } from '../../contract/filter.ts';
import { err, ok, type Result } from '../../shared/result.ts';

export interface FilterProblem {
  /** What is wrong and what would be right. */
  readonly message: string;
  /** UTF-16 offset into the text. */
  readonly position: number;
}

interface Token {
  readonly text: string;
  readonly at: number;
  readonly quoted: boolean;
}

const operators = /^(?:>=|<=|!=|!~|==|&&|\|\||[=<>~,!≥≤≠()])/;

/** Cuts a text into words, strings and operators. */
export function tokenise(text: string): Result<Token[], FilterProblem> {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const c = text.charAt(i);
    if (/\s/.test(c)) {
      i++;
    } else if (c === '"' || c === "'") {
      const start = i++;
      let value = '';
      while (i < text.length && text[i] !== c) {
        if (text[i] === '\\' && i + 1 < text.length) i++;
        value += text.charAt(i++);
      }
      if (i >= text.length)
        return err({ message: `The string that begins here has no closing ${c}.`, position: start });
      i++;
      tokens.push({ text: value, at: start, quoted: true });
    } else {
      const operator = operators.exec(text.slice(i, i + 2))?.[0];
      const word = operator ?? /^[^\s"'=<>~,!≥≤≠&|()]+/.exec(text.slice(i))?.[0] ?? c;
      tokens.push({ text: word, at: i, quoted: false });
      i += word.length;
    }
  }
  return ok(tokens);
}

/** Reads tokens one by one. */
export class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: number;
  #at = 0;
  #conditions = 0;

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens;
    this.#end = end;
  }

  /** Counts one more condition; false when that is one too many. */
  count(): boolean {
    this.#conditions++;
    return this.#conditions <= filterLimits.conditions;
  }

  atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { text: '', at: this.#end, quoted: false };
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Takes the next token when it is one of these words, unquoted. */
  take(...words: readonly string[]): boolean {
    const { text, quoted } = this.peek();
    if (quoted || !words.includes(text.toLowerCase())) return false;
    this.#at++;
    return true;
  }
}
