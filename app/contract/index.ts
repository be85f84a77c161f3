// The one typed contract between screens (or commands) and the engine. The only barrel of the project.

import { advantagesContract } from './advantages.ts';
import { agreementContract } from './agreement.ts';
import { importsContract } from './imports.ts';
import { jobsContract } from './jobs.ts';
import { labelsContract } from './labels.ts';
import { rolloutsContract } from './rollouts.ts';
import { scanContract } from './scan.ts';
import { searchContract } from './search.ts';
import { tuningContract } from './tuning.ts';
import { verifyContract } from './verify.ts';
import { workspaceContract } from './workspace.ts';

export const contract = {
  workspace: workspaceContract,
  jobs: jobsContract,
  imports: importsContract,
  rollouts: rolloutsContract,
  advantages: advantagesContract,
  scan: scanContract,
  labels: labelsContract,
  search: searchContract,
  tuning: tuningContract,
  verify: verifyContract,
  agreement: agreementContract,
};
export type Contract = typeof contract;

export * from './advantages.ts';
export * from './agreement.ts';
export * from './estimator.ts';
export * from './filter.ts';
export * from './imports.ts';
export * from './jobs.ts';
export * from './labels.ts';
export * from './records.ts';
export * from './rollouts.ts';
export * from './rule-pack.ts';
export * from './scan.ts';
export * from './search.ts';
export * from './tuning.ts';
export * from './verify.ts';
export * from './vocabulary.ts';
export * from './workspace.ts';
