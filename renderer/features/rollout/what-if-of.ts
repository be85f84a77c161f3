// The way from a rollout to the what-if screen: what is on show becomes side A, when it gives advantages.

import { estimatorById } from '../../../app/domain/advantage/registry.ts';
import { formatSetting, settingOfRun } from '../../data/what-if-setting.ts';
import type { WhatIfRoute } from '../../routes.ts';
import type { Shown } from './screen-context.ts';

/** The route. */
export function whatIfOf(id: string, shown: Shown): WhatIfRoute {
  const run = shown.kind === 'run' && shown.run.result.error === undefined ? shown.run : null;
  const usable = run !== null && estimatorById(run.estimator)?.output === 'advantages';
  return { screen: 'what-if', id, ...(usable ? { a: formatSetting(settingOfRun(run)) } : {}) };
}
