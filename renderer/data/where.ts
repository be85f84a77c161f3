import type { Filter } from '../../app/contract/index.ts';
import { filter } from '../../app/contract/index.ts';
export function parseFilter(text: string): { ok: true; value: { where: Filter } } | { ok: false; error: { message: string; position: number } } {
  try { const p = filter.safeParse(JSON.parse(text)); if (p.success) return { ok: true, value: { where: p.data } }; } catch {}
  return { ok: false, error: { message: 'not readable', position: 0 } };
}
export function formatFilter(where: Filter): string { return JSON.stringify(where); }
