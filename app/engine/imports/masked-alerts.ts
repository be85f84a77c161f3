// What an alert quotes of a log may hold credentials. They are masked wherever alerts leave the engine; as they stand they are
// given only on request (`imports.asLogged`), to those who may export.

import type { SourceRow } from '../../contract/imports.ts';
import type { AlertRow } from '../../contract/records.ts';
import { maskRaw } from '../../domain/text/raw-credentials.ts';

/** An alert with the credentials of its message and its excerpt masked, and how many there were. */
function maskedAlert(alert: AlertRow): AlertRow {
  const message = maskRaw(alert.message);
  const raw = alert.raw === null ? null : maskRaw(alert.raw);
  const masked = message.found.length + (raw?.found.length ?? 0);
  return masked === 0 ? alert : { ...alert, message: message.text, raw: raw?.text ?? null, masked };
}

/** The same of a source with what became of it and all its alerts. */
export function maskedSource(row: SourceRow): SourceRow {
  const message = row.message === null ? null : maskRaw(row.message).text;
  return { ...row, message, alerts: row.alerts.map(maskedAlert) };
}
