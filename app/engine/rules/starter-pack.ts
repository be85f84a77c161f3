// The rule pack that a workspace starts with, as one YAML text, so that it can be shown, edited and saved as one's own. The
// text is kept in pieces by family.

import { artefacts } from './starter/artefacts.ts';
import { beyondTheWork } from './starter/beyond-the-work.ts';
import { boundaries } from './starter/boundaries.ts';
import { claims } from './starter/claims.ts';
import { evasions } from './starter/evasions.ts';
import { falseWorkB } from './starter/false-work-b.ts';
import { foreignSources } from './starter/foreign-sources.ts';
import { fromTheLog } from './starter/from-the-log.ts';
import { head } from './starter/head.ts';
import { hints } from './starter/hints.ts';
import { historyHints } from './starter/hints-history.ts';
import { inParts } from './starter/in-parts.ts';
import { leaksB } from './starter/leaks-b.ts';
import { limits } from './starter/limits.ts';
import { relief } from './starter/relief.ts';
import { specialCasing } from './starter/special-casing.ts';
import { tampering } from './starter/tampering.ts';
import { tamperingB } from './starter/tampering-b.ts';
import { tamperingChecks } from './starter/tampering-checks.ts';
import { tamperingExits } from './starter/tampering-exits.ts';
import { tamperingLimits } from './starter/tampering-limits.ts';
import { tamperingValues } from './starter/tampering-values.ts';
import { toldByName } from './starter/told-by-name.ts';
import { unlisted } from './starter/unlisted.ts';
import { upstream } from './starter/upstream.ts';
import { verdicts } from './starter/verdicts.ts';
import { widerLeaks } from './starter/wider-leaks.ts';
import { widerTraces } from './starter/wider-traces.ts';
import { widerWork } from './starter/wider-work.ts';

const comment = '# Rollscope starter rules. Copy and change them freely; give your copy its own id and version.';

/** YAML of the starter pack. */
export const starterPack: string = [
  comment,
  head,
  artefacts,
  upstream,
  tampering,
  specialCasing,
  boundaries,
  beyondTheWork,
  verdicts,
  fromTheLog,
  limits,
  evasions,
  widerLeaks,
  leaksB,
  foreignSources,
  widerTraces,
  widerWork,
  falseWorkB,
  claims,
  hints,
  historyHints,
  relief,
  inParts,
  tamperingB,
  tamperingChecks,
  tamperingExits,
  tamperingLimits,
  tamperingValues,
  toldByName,
  unlisted,
]
  .map((text) => text.replace(/^\n/, ''))
  .join('\n');
