import { type CorrectedDays, correctionDueAt } from '../../../domain/telemetry/closed-days/correction.ts'
import type { Sql } from '../pool/connect.ts'

/** Records that values of closed days have changed, in the transaction of the change. */
export async function addCorrections(
  sql: Sql,
  siteUuid: string,
  corrected: readonly CorrectedDays[],
  now: number,
): Promise<void> {
  const longest = new Map<string, CorrectedDays>()
  for (const one of corrected) {
    const key = `${one.seriesId} ${one.from}`
    if ((longest.get(key)?.end ?? Number.NEGATIVE_INFINITY) < one.end) longest.set(key, one)
  }
  if (longest.size === 0) return
  // In a fixed order, so that concurrent transactions cannot deadlock.
  const rows = [...longest.values()].toSorted((a, b) => a.seriesId - b.seriesId || a.from - b.from)
  const latest = correctionDueAt(now, Number.MAX_SAFE_INTEGER) - now
  await sql`
    INSERT INTO corrections AS known (site_uuid, series_id, from_day, end_day, first_at, due_at)
    VALUES (${siteUuid}, unnest(${rows.map(({ seriesId }) => seriesId)}::bigint[]),
      unnest(${rows.map(({ from }) => from)}::integer[]), unnest(${rows.map(({ end }) => end)}::integer[]),
      ${now}, ${correctionDueAt(now, now)})
    ON CONFLICT (site_uuid, series_id, from_day) DO UPDATE SET end_day = greatest(known.end_day, excluded.end_day),
      due_at = least(known.first_at + ${latest}, excluded.due_at)`
}
