// Reading of typed or pasted paths: pure.

/**
 * The paths of a text, one a line. Quotes around a whole line are dropped (file managers and shells copy them), a
 * `file://` address becomes its path, blank lines are skipped, duplicates are dropped.
 */
export function splitPaths(text: string): string[] {
  const paths = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .map((line) => (/^(["']).*\1$/.test(line) && line.length > 1 ? line.slice(1, -1) : line))
    .map(fromFileUrl)
    .filter((line) => line !== '');
  return [...new Set(paths)];
}

function fromFileUrl(line: string): string {
  if (!/^file:\/\//i.test(line)) return line;
  try {
    const path = decodeURIComponent(new URL(line).pathname);
    // file:///C:/logs names a drive, not a folder of the root.
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return line;
  }
}
