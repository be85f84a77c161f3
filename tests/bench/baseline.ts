// What an import is measured against: JSON.parse over the same lines in one Node thread, nothing kept.
// Run: node tests/bench/baseline.ts FILE. Prints one JSON object: milliseconds for everything, and for JSON.parse alone.

import { closeSync, openSync, readSync } from 'node:fs';

const newline = 0x0a;
const chunkBytes = 1024 * 1024;

/** Reads a file by chunks, splits it into lines, decodes and parses each. Synchronous, so that nothing else is measured. */
function parseLines(path: string): { lines: number; totalMs: number; parseMs: number } {
  const file = openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest = Buffer.alloc(0);
  let lines = 0;
  let parseMs = 0;
  const started = performance.now();
  const parse = (bytes: Buffer): void => {
    const text = bytes.toString('utf8');
    const before = performance.now();
    JSON.parse(text);
    parseMs += performance.now() - before;
    lines++;
  };
  for (;;) {
    const read = readSync(file, chunk, 0, chunkBytes, null);
    if (read === 0) break;
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0 && at < read; at = chunk.indexOf(newline, from)) {
      parse(Buffer.concat([rest, chunk.subarray(from, at)]));
      rest = Buffer.alloc(0);
      from = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from, read)]);
  }
  if (rest.length > 0) parse(rest);
  closeSync(file);
  return { lines, totalMs: performance.now() - started, parseMs };
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Usage: baseline.ts FILE');
console.log(JSON.stringify(parseLines(path)));
