import type { SeriesIds } from '../../../domain/estate/inventory/store.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'
import type { Sql } from '../pool/connect.ts'

/** The series of a site by their subject: a device, or a space it is or was in. */
export type SiteSeries = Map<string, SeriesIds>

interface Row {
  subject_uuid: string
  metric: MeasuredMetric
  series_id: number
}

export function seriesBySubject(rows: readonly Row[]): SiteSeries {
  const series: SiteSeries = new Map()
  for (const { subject_uuid, metric, series_id } of rows) {
    const known = series.get(subject_uuid) ?? {}
    known[metric] = series_id
    series.set(subject_uuid, known)
  }
  return series
}

export const seriesOfSite = async (sql: Sql, siteUuid: string): Promise<SiteSeries> =>
  seriesBySubject(
    await sql<Row[]>`SELECT subject_uuid, metric, series_id FROM series WHERE site_uuid = ${siteUuid}`,
  )

export interface WantedSeries {
  subject: string
  metric: string
}

/** New series get ids that are unique over all sites; existing ones keep theirs. */
export async function addSeries(
  sql: Sql,
  siteUuid: string,
  known: SiteSeries,
  wanted: readonly WantedSeries[],
): Promise<void> {
  const missing = new Map(
    wanted
      .filter(({ subject, metric }) => known.get(subject)?.[metric as MeasuredMetric] === undefined)
      .map((series) => [`${series.subject} ${series.metric}`, series]),
  )
  if (missing.size === 0) return
  const numbers = await sql<{ id: number }[]>`
    SELECT nextval('series_ids') AS id FROM generate_series(1, ${missing.size})`
  const added = [...missing.values()]
  await sql`
    INSERT INTO series (site_uuid, subject_uuid, metric, series_id)
    VALUES (${siteUuid}, unnest(${added.map(({ subject }) => subject)}::uuid[]),
      unnest(${added.map(({ metric }) => metric)}::text[]), unnest(${numbers.map(({ id }) => id)}::bigint[]))`
}
