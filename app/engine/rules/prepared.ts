// What the build works out beforehand, so that no process does: the starter pack as data, and what its patterns and those of the
// built-in comparisons need. The texts take the place of two modules that answer "nothing is known" in a checkout.

import { guards } from '../../domain/detect/guards.ts';
import { askedNeeds } from '../../domain/detect/literals.ts';
import { parsePack } from './parse-pack.ts';
import { starterPack } from './starter-pack.ts';

/**
 * JavaScript by the end of the path of the module that it replaces.
 * @throws Error when the starter pack is not valid.
 */
export function preparedModules(): ReadonlyMap<string, string> {
  const parsed = parsePack(starterPack);
  if (!parsed.ok) throw new Error(`The starter pack is not valid: ${parsed.error[0]?.message}`);
  // All built-in expressions are asked for together, with the first text.
  guards.search('');
  return new Map([
    ['/app/engine/rules/prepared-starter.ts', moduleText('preparedStarter', parsed.value.pack)],
    ['/app/domain/detect/known-needs.ts', moduleText('knownNeeds', [...askedNeeds()])],
  ]);
}

/** A function that gives the data. It is read as JSON when it is asked for: faster than a literal, and free until then. */
function moduleText(name: string, data: unknown): string {
  return `export const ${name} = () => JSON.parse(${JSON.stringify(JSON.stringify(data))});\n`;
}
