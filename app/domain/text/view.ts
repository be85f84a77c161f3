// The view text of a part: what the screen shows, what the rules read and what spans count in. Deterministic, so that a
// span stored today points to the same characters tomorrow.

/** Depth to which argument objects are unfolded; deeper values are shown as JSON. */
const maxDepth = 6;

/**
 * The view text of tool-call arguments. A single string leaf is shown bare (`{"command": "ls"}` gives `ls`); several
 * leaves give one `key: value` line each, strings verbatim (with their own line breaks), other scalars as JSON.
 * Text that is not a JSON object is shown as it is.
 */
export function viewOfArguments(json: string): string {
  const value = parseObject(json);
  if (value === undefined) return json;
  const leaves: [path: string, text: string][] = [];
  collect(value, '', 0, leaves);
  const first = leaves[0];
  if (leaves.length === 1 && first !== undefined) return first[1];
  return leaves.map(([path, text]) => `${path}: ${text}`).join('\n');
}

/** The view text of any part. */
export function viewOfPart(kind: string, text: string): string {
  return kind === 'tool_call' ? viewOfArguments(text) : text;
}

function parseObject(json: string): object | undefined {
  const start = json.trimStart();
  if (!start.startsWith('{') && !start.startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function collect(value: unknown, path: string, depth: number, leaves: [string, string][]): void {
  if (typeof value === 'string') {
    leaves.push([path, value]);
  } else if (value === null || typeof value !== 'object' || depth >= maxDepth) {
    leaves.push([path, JSON.stringify(value) ?? 'null']);
  } else if (Array.isArray(value)) {
    if (value.length === 0) leaves.push([path, '[]']);
    for (const [i, element] of value.entries()) collect(element, `${path}[${i}]`, depth + 1, leaves);
  } else {
    const entries = Object.entries(value);
    if (entries.length === 0) leaves.push([path, '{}']);
    for (const [key, element] of entries) collect(element, path === '' ? key : `${path}.${key}`, depth + 1, leaves);
  }
}
