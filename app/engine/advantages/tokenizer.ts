// Token ids to text by a tokenizer file. The library reads the file and decodes; because a character may be split over tokens,
// byte-level vocabularies are joined as bytes here, so that every token gets exactly what it adds to the text.

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type { TokenTexts } from '../../contract/rollouts.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';

export const tokenizerFile = 'tokenizer.json';
/** Larger files are no tokenizers. */
const mostBytes = 256 * 1024 * 1024;

/** A piece of the contract, and whether a character that it begins goes on in the next token. */
export type TokenPiece = TokenTexts['pieces'][number] & { readonly goesOn: boolean };

/** A tokenizer file in use. */
export interface LoadedTokenizer {
  readonly path: string;
  readonly model: string;
  readonly vocabulary: number;
  /** What each of the tokens adds to their text. */
  decode(ids: readonly number[]): TokenPiece[];
}

const hint = 'Choose the tokenizer.json of the model that wrote the log, as its repository on a hub has it.';

/** Reads a tokenizer file. @throws Refusal `tokenizer-unreadable`, `tokenizer-invalid`. */
export function loadTokenizer(path: string): LoadedTokenizer {
  let text: string;
  try {
    if (statSync(path).size > mostBytes) throw new Error('it is larger than 256 MiB');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Refusal('tokenizer-unreadable', `The tokenizer ${path} cannot be read: ${messageOf(error)}.`, hint);
  }
  try {
    const file: unknown = JSON.parse(text);
    if (typeof file !== 'object' || file === null) throw new Error('it holds no object');
    return new FileTokenizer(path, file, configBeside(path));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error);
    throw new Refusal('tokenizer-invalid', `${path} is not a tokenizer file: ${why}.`, hint);
  }
}

/** The library wants the tokenizer's configuration too; a tokenizer file does without. */
function configBeside(path: string): object {
  try {
    const config: unknown = JSON.parse(readFileSync(join(dirname(path), 'tokenizer_config.json'), 'utf8'));
    return typeof config === 'object' && config !== null ? config : {};
  } catch {
    return {};
  }
}

class FileTokenizer implements LoadedTokenizer {
  readonly path: string;
  readonly model: string;
  readonly vocabulary: number;
  readonly #tokenizer: Tokenizer;
  readonly #byteLevel: boolean;
  readonly #added: ReadonlyMap<number, string>;

  constructor(path: string, file: object, config: object) {
    this.path = path;
    this.#tokenizer = new Tokenizer(file, config);
    this.model = 'model' in file ? (textAt(file.model, 'type') ?? 'unknown') : 'unknown';
    this.vocabulary = this.#tokenizer.get_vocab(true).size;
    this.#byteLevel = 'decoder' in file && mentionsByteLevel(file.decoder);
    this.#added = new Map(
      [...this.#tokenizer.get_added_tokens_decoder()].map(([id, { content }]) => [id, content] as const),
    );
  }

  /** Tokens as bytes in one stream: a piece is what the decoder gives out once the token is in. */
  decode(ids: readonly number[]): TokenPiece[] {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const pieces: { id: number; text: string; partial: boolean; goesOn: boolean }[] = [];
    // Whether the stream stands inside a character.
    let open = false;
    const flush = (): void => {
      const rest = decoder.decode();
      const last = pieces.at(-1);
      if (rest !== '' && last !== undefined) last.text += rest;
      open = false;
    };
    for (const [at, id] of ids.entries()) {
      const bytes = this.#bytesOf(id);
      if (bytes === null) {
        flush();
        pieces.push({ id, text: this.#textOf(ids, at), partial: false, goesOn: false });
        continue;
      }
      const text = decoder.decode(bytes, { stream: true });
      const goesOn = endsInside(bytes, open && text === '');
      pieces.push({ id, text, partial: goesOn || open, goesOn });
      open = goesOn;
    }
    flush();
    return pieces;
  }

  /** The bytes of a token of a byte-level vocabulary; null for one that is text as it is. */
  #bytesOf(id: number): Uint8Array | null {
    if (this.#added.has(id)) return null;
    const token = this.#tokenizer.id_to_token(id);
    if (token === undefined) return null;
    const byte = /^<0x([0-9A-F]{2})>$/u.exec(token)?.[1];
    if (!this.#byteLevel) return byte === undefined ? null : Uint8Array.of(Number.parseInt(byte, 16));
    const bytes: number[] = [];
    for (const character of token) {
      const value = byteOf.get(character);
      if (value === undefined) return new TextEncoder().encode(token);
      bytes.push(value);
    }
    return Uint8Array.from(bytes);
  }

  /** A token of another vocabulary: what it adds after the one before it, for a space may belong to the place. */
  #textOf(ids: readonly number[], at: number): string {
    const id = ids[at] ?? -1;
    const added = this.#added.get(id);
    if (added !== undefined) return added;
    if (this.#tokenizer.id_to_token(id) === undefined) return `⟨${id}⟩`;
    const before = ids[at - 1];
    const own = this.#plain([id]);
    if (before === undefined || this.#added.has(before) || this.#tokenizer.id_to_token(before) === undefined)
      return own;
    const [one, two] = [this.#plain([before]), this.#plain([before, id])];
    return two.startsWith(one) ? two.slice(one.length) : own;
  }

  #plain(ids: number[]): string {
    return this.#tokenizer.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  }
}

function textAt(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = new Map<string, unknown>(Object.entries(value)).get(key);
  return typeof found === 'string' ? found : null;
}

/** Whether a decoder is byte-level, alone or as a part of a sequence. */
function mentionsByteLevel(decoder: unknown): boolean {
  if (textAt(decoder, 'type') === 'ByteLevel') return true;
  return (
    typeof decoder === 'object' &&
    decoder !== null &&
    'decoders' in decoder &&
    Array.isArray(decoder.decoders) &&
    decoder.decoders.some(mentionsByteLevel)
  );
}

/**
 * Byte-level vocabularies write a byte as a character: printable Latin-1 as itself, each other byte as the next character from
 * U+0100 on, in their order (the byte encoder of GPT-2, on which all of them are built).
 */
const byteOf: ReadonlyMap<string, number> = (() => {
  const isPlain = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  const table = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte += 1) {
    table.set(String.fromCodePoint(isPlain(byte) ? byte : next), byte);
    if (!isPlain(byte)) next += 1;
  }
  return table;
})();

/** Whether a stream of UTF-8 stands inside a character after these bytes; `open` when it did, and none of them ended it. */
function endsInside(bytes: Uint8Array, open: boolean): boolean {
  // The lead byte of the last character is at most three bytes back.
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return open;
}
