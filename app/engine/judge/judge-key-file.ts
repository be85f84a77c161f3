// The judge's API key in a file of its own, as secret stores and container runtimes hand keys over. What stands in the file is in
// no message, whatever is wrong with it.

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { messageOf, Refusal } from '../../shared/errors.ts';

/** No key is longer; a bigger file is some other file. */
const mostBytes = 16 * 1024;
/** Permissions of anybody but the owner. */
const othersBits = 0o077;

/**
 * The key in a file: its only line, without the white space around it.
 * @throws Refusal `key-file-unreadable`, or `key-file-invalid` for what cannot be a key.
 */
export function readKeyFile(path: string): string {
  let text: string;
  try {
    text = readSmall(path);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      'key-file-unreadable',
      `The file with the judge’s key, ${path}, cannot be read: ${messageOf(error)}.`,
      'Name a file that this process may read.',
    );
  }
  const key = text.replace(/^\uFEFF/u, '').trim();
  if (key === '') throw invalid(path, 'is empty');
  // A header takes visible ASCII; a second line or a blank means that this is some other file.
  if (!/^[\x21-\x7e]+$/u.test(key)) throw invalid(path, 'does not hold a key and nothing else');
  return key;
}

function readSmall(path: string): string {
  // Without this flag the opening of a pipe that nobody writes to would wait for ever; systems without pipes have no flag.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw invalid(path, 'is not a regular file');
    if (facts.size > mostBytes) throw invalid(path, 'is far larger than a key');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function invalid(path: string, what: string): Refusal {
  return new Refusal(
    'key-file-invalid',
    `The file named for the judge’s key, ${path}, ${what}.`,
    'The file should hold the key on one line. Nothing was sent.',
  );
}

/** What is wrong with who may read the file, for a person; null when only its owner may, or where the system does not say. */
export function keyFileWarning(path: string): string | null {
  if (process.platform === 'win32') return null;
  try {
    const { mode } = statSync(path);
    if ((mode & othersBits) === 0) return null;
    const bits = (mode & 0o777).toString(8).padStart(3, '0');
    return `Others than the owner may get at the judge’s key in ${path} (mode ${bits}). Close it with "chmod 600".`;
  } catch {
    // That it cannot be read is said when it is read.
    return null;
  }
}
