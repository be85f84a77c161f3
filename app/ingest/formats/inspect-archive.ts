// The members of an Inspect `.eval` archive as JSON. A sample that is too large to be parsed as one document is read
// event by event; what its events repeat of the conversation is kept once.

import type { AlertDraft } from '../../contract/ingest.ts';
import { parseBytes } from '../json.ts';
import type { ReadContext, SourceFile } from '../source.ts';
import { isObject, type JsonObject } from '../values.ts';
import { openZip } from '../zip.ts';
import { largeSample } from './inspect-large.ts';

export interface EvalArchive {
  /** Names in the order of their first mention. */
  readonly names: readonly string[];
  /** Names that stand more than once; the last copy counts. */
  readonly repeated: readonly string[];
  /**
   * The object that a member holds; null when it is not there or no object. What was repaired goes to `report`. Throws a
   * Refusal (`zip-invalid`, `limit-exceeded`) when its bytes cannot be had in full.
   */
  read(name: string, report: (alert: AlertDraft) => void): Promise<JsonObject | null>;
}

/** Opens an archive by its central directory. Throws a Refusal for a cut or foreign file and for too many members. */
export async function openEval(file: SourceFile, context: ReadContext): Promise<EvalArchive> {
  const { limits } = context;
  const zip = await openZip(file, limits);
  return {
    names: [...zip.members.keys()],
    repeated: [...new Set(zip.duplicates)],
    read: async (name, report) => {
      const member = zip.members.get(name);
      if (member === undefined) return null;
      if (member.size > limits.documentBytes) return largeSample(zip.open(name), context, report);
      const outcome = parseBytes(await zip.read(name), limits, 'document');
      for (const alert of outcome.alerts) report(alert);
      const value = outcome.records[0]?.value;
      return isObject(value) ? value : null;
    },
  };
}
