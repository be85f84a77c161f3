// The report of an import as JSON, with the stable field names of the command line.

import type { AlertRow, ImportedFile, ImportReport } from '../../contract/index.ts';

/** Characters of the raw text of an alert in the report; the Imports screen shows more. */
const rawUnits = 1_000;

/** The document of `rollscope import --json`. */
export function importDocument(report: ImportReport): unknown {
  return { files: report.files.map(fileDocument), totals: report.totals, elapsedMs: report.elapsedMs };
}

function fileDocument(file: ImportedFile): unknown {
  const { size: _size, formatTitle: _title, alerts, alternatives = [], ...rest } = file;
  const credentials = credentialCounts(alerts);
  return {
    ...rest,
    alternatives: alternatives.map(({ format, confidence, reason }) => ({ format, confidence, reason })),
    credentials,
    ...(file.format === 'rewards' ? { rewards: rewardCounts(alerts) } : {}),
    alerts: alerts.map(({ kind, severity, count, first, message, raw, masked = 0 }) => ({
      kind,
      severity,
      count,
      first: { ...first, raw: raw === null ? null : raw.slice(0, rawUnits).toWellFormed() },
      message,
      // Credentials that are masked in what is quoted.
      masked,
    })),
  };
}

/** Credentials in the texts of a file by kind; the values are nowhere in the report. */
export function credentialCounts(alerts: readonly AlertRow[]): { kind: string; certainty: string; count: number }[] {
  return alerts.flatMap(({ kind, severity, count }) =>
    kind.startsWith('credential-')
      ? [{ kind: kind.slice('credential-'.length), certainty: severity === 'info' ? 'likely' : 'definite', count }]
      : [],
  );
}

function rewardCounts(alerts: readonly AlertRow[]): Record<string, number> {
  const of = (kind: string): number => alerts.reduce((sum, alert) => sum + (alert.kind === kind ? alert.count : 0), 0);
  return {
    matched: of('reward-joined'),
    unmatched: of('reward-unmatched'),
    conflicting: of('reward-conflicting'),
    ambiguous: of('reward-ambiguous'),
  };
}
