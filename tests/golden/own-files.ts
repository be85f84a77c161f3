// Which of the project's own cases stand in which file.

import { batchCases, remainingCases } from './own-batch-cases.ts';
import { crossCases, gaeCases, type OwnCase } from './own-cases.ts';

export const ownFiles: Readonly<Record<string, () => OwnCase[]>> = {
  'gae.json': gaeCases,
  'cross.json': crossCases,
  'batch.json': batchCases,
  'tokens.json': remainingCases,
};
