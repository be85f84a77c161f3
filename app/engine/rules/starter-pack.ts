// The rule pack that a workspace starts with, as YAML text: head and rules of the families, in one file of text so that it
// can be shown, edited and saved as one's own.

import { head } from './starter/head.ts';
import { leaks } from './starter/leaks.ts';
import { pretence } from './starter/pretence.ts';
import { tampering } from './starter/tampering.ts';

/** YAML of the starter pack. */
export const starterPack: string = `# Rollscope starter rules. Copy and change freely; give your copy its own id and version.\n${head.trimStart()}${[
  leaks,
  tampering,
  pretence,
]
  .map((part) => part.replace(/^\n/, ''))
  .join('\n')}`;
