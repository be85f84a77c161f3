// Fields of a log that were kept as JSON text, read with care: names come from the log, hence Maps and no objects.

/** Fields of unknown JSON; empty for anything but an object. */
export function fieldsOf(value: unknown): Map<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : new Map();
}

/** The value of a JSON text; null for none and for one that does not parse. */
export function parsedJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
