// Estimates of tokens without a tokenizer: the judge's model is unknown, and a budget needs an upper guess, not a count.

/** Bytes of UTF-8 per token that the estimate assumes. */
const bytesPerToken = 3;
/** Tokens that a chat template adds around each message. */
export const messageOverhead = 8;

/**
 * An upper guess of a text's tokens: UTF-8 bytes / 3, rounded up. Common vocabularies need 3.3 to 4.5 bytes per token for English
 * and code and about 3 for Chinese, so that the guess is too high for most texts and close for the densest ones.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Bytes(text) / bytesPerToken);
}

/** Characters that surely fit into a number of tokens by the same guess, for texts that are mostly ASCII. */
export function charactersFor(tokens: number): number {
  return Math.max(0, Math.floor(tokens * bytesPerToken));
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Either half of a surrogate pair: four bytes for both.
    else if (unit >= 0xd800 && unit <= 0xdfff) bytes += 2;
    else bytes += 3;
  }
  return bytes;
}
