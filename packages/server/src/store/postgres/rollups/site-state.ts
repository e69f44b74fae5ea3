import type { Database, Sql } from '../pool/connect.ts'

/** How far a site's days are rolled up and its readings dropped; 0 for not at all. */
export interface SiteState {
  /** No rollup reaches beyond this: whatever is newer makes none of them untrue. */
  rollupWatermark: number
  /** Devices' rollups of days before this are never taken away again. */
  immutableBefore: number
  /** Readings before this are no longer kept. */
  retentionWatermark: number
}

/** The row that all others wait at. */
export const ensureSiteState = (db: Database, siteUuid: string): Promise<unknown> =>
  db.change(
    (sql) => sql`INSERT INTO site_state (site_uuid) VALUES (${siteUuid}) ON CONFLICT (site_uuid) DO NOTHING`,
  )

const COLUMNS = `rollup_watermark AS "rollupWatermark", immutable_before AS "immutableBefore", retention_watermark AS "retentionWatermark"`

export async function siteState(sql: Sql, siteUuid: string): Promise<SiteState | undefined> {
  const [row] = await sql<SiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM site_state WHERE site_uuid = ${siteUuid}`
  return row
}

/** For who adds readings: until the end of the transaction no day is closed and no device moves. */
export async function lockSiteShared(sql: Sql, siteUuid: string): Promise<SiteState | undefined> {
  const [row] = await sql<SiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM site_state WHERE site_uuid = ${siteUuid} FOR KEY SHARE`
  return row
}

/** For who closes days, moves devices or drops readings: alone with the site once those who add readings are done. */
export async function lockSiteExclusive(sql: Sql, siteUuid: string): Promise<SiteState | undefined> {
  const [row] = await sql<SiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM site_state WHERE site_uuid = ${siteUuid} FOR UPDATE`
  return row
}
