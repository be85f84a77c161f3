// A source file that is taken from beyond the work and put into it: somebody else's finished solution, whatever its folder is called.

import { baseName } from '../actions.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import type { ActionObject } from '../types.ts';
import { type Found, hopAt, pairOf, wholeOf } from './found.ts';

const code =
  /\.(?:py|[cm]?[jt]sx?|go|rs|java|kts?|rb|c|cc|cpp|cxx|h|hpp|cu|cuh|swift|cs|php|pl|lua|jl|r|scala|hs|ml|ex|exs|clj|sh|sql|zig|nim|dart|v|sv|vhd|f90|patch|diff|ipynb|[rq]md|tex|typ|org|odt|docx?)$/i;
const archive = /\.(?:tar(?:\.\w+)?|tgz|zip|gz|bundle|7z|xz|zst)$/i;
/** Folders through which people hand things to an agent. */
const handed =
  /(?:^|\/)(?:uploads?|inputs?|templates?|starter|skeleton|boilerplate|examples?|samples?|datasets?|downloads?|third_party|vendor)(?:\/|$)/i;
const solution =
  /(?:solution|submission|abgabe|entrega|rendu|devoir|提交|oracle|reference|exemplar|answer|golden?|canonical|upstream|lösung|loesung|musterl|corrig|solucion|ответ|参考|标准答案)/i;

/** A path that leaves the folder in which the work began. */
const above = /^(?:\.\.\/)+[\w-]/;

/** Actions that read a source file (or a solution's archive) from outside and write inside. */
export function* foreignTwins(reading: Reading): Generator<Found> {
  const { workspace, terms, units } = reading.rollout;
  const acts = units.get('action') ?? [];
  const isForeign = ({ verb, path }: ActionObject): boolean =>
    verb === 'read' && (workspace.isOutside(path) || above.test(path));
  const first = acts.findIndex(({ action }) => action?.objects.some(isForeign) === true);
  if (first < 0) return;
  const written = new Set<string>();
  for (const { action } of acts)
    for (const { verb, path } of action?.objects ?? [])
      if (verb === 'write' && !path.startsWith('/tmp/')) written.add(baseName(path));
  let unpacked: Unit | null = null;
  for (const unit of acts.slice(first)) {
    const { action } = unit;
    if (action === null || unit.text.text === '') continue;
    // An archive from outside, and then files out of scratch space put into the work.
    const opens = action.objects.some(
      ({ verb, path }) =>
        verb === 'read' &&
        archive.test(path) &&
        workspace.isOutside(path) &&
        !handed.test(path) &&
        !terms.handsOver(path),
    );
    if (opens && /^(?:tar|unzip|7z|bsdtar|gunzip)$/.test(action.program)) unpacked = unit;
    else if (unpacked !== null && !action.whole && /^(?:cp|mv|rsync|install|ln)$/.test(action.program)) {
      const from = action.objects.some(
        ({ verb, path }) =>
          verb === 'read' && /^\/(?:tmp|var\/tmp)\//.test(path) && (code.test(path) || /\/src\b|\*/.test(path)),
      );
      if (from)
        yield {
          match: wholeOf(unit),
          chain: pairOf(hopAt('source', unpacked.part, wholeOf(unpacked).start, wholeOf(unpacked).end), wholeOf(unit)),
        };
    }
    const read = action.objects.find(
      (each) =>
        !each.isUrl &&
        isForeign(each) &&
        (!handed.test(each.path) || solution.test(each.path)) &&
        suspicious(each.path, written) &&
        !terms.handsOver(each.path),
    );
    if (read === undefined) continue;
    const puts = ({ verb, path }: ActionObject): boolean =>
      verb === 'write' &&
      path !== read.path &&
      !/^\/(?:dev|proc)\//.test(path) &&
      !workspace.isOutside(path) &&
      !above.test(path);
    // A pipe reads with one command and writes with another.
    const writes =
      action.objects.some(puts) ||
      reading
        .actionsAt(unit.index)
        .some((other) =>
          other.action?.objects.some((each) => puts(each) && baseName(each.path) === baseName(read.path)),
        );
    if (writes || (action.program === 'tar' && solution.test(read.path))) yield { match: wholeOf(unit), chain: [] };
  }
}

function suspicious(path: ActionObject['path'], written: ReadonlySet<string>): boolean {
  return (
    (code.test(path) && (written.has(baseName(path)) || solution.test(path))) ||
    (archive.test(path) && solution.test(path)) ||
    (solution.test(path) && !/\.\w{1,5}$/.test(path))
  );
}
