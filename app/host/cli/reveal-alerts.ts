// What the alerts of an import quote, with credentials as they stand in the logs.

import type { ImportReport } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';

/** The report with every alert as it is stored; alerts that quote no credential are that already. */
export async function revealAlerts(engine: Engine, report: ImportReport): Promise<ImportReport> {
  const hides = ({ alerts }: ImportReport['files'][number]): boolean => alerts.some(({ masked = 0 }) => masked > 0);
  if (!report.files.some(hides)) return report;
  const sources = new Map((await engine.client.imports.list()).toReversed().map(({ path, id }) => [path, id]));
  const files = [];
  for (const file of report.files) {
    const source = hides(file) ? sources.get(file.path) : undefined;
    files.push(source === undefined ? file : { ...file, alerts: await engine.client.imports.asLogged({ source }) });
  }
  return { ...report, files };
}
