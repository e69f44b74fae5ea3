import type { Database, Sql } from '../pool/connect.ts'

/** Watermarks of a site; 0 for none yet. */
export interface SiteState {
  /** End of the closed days: newer readings invalidate no rollup. */
  rollupWatermark: number
  /** Rollups of devices for days before this are never deleted. */
  immutableBefore: number
  /** Readings before this are deleted. */
  retentionWatermark: number
  /** End of the days that events have reported as closed; never after `rollupWatermark`. */
  closedBefore: number
}

/** Creates the row that other operations lock. */
export const ensureSiteState = (db: Database, siteUuid: string): Promise<unknown> =>
  db.change(
    (sql) => sql`INSERT INTO site_state (site_uuid) VALUES (${siteUuid}) ON CONFLICT (site_uuid) DO NOTHING`,
  )

const COLUMNS = `rollup_watermark AS "rollupWatermark", immutable_before AS "immutableBefore", retention_watermark AS "retentionWatermark", closed_before AS "closedBefore"`

export async function siteState(sql: Sql, siteUuid: string): Promise<SiteState | undefined> {
  const [row] = await sql<SiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM site_state WHERE site_uuid = ${siteUuid}`
  return row
}

export interface LockedSiteState extends SiteState {
  /** The start of the database server that holds the lock; after a failover, it is that of another server. */
  server: string
}

/** Lock for adding readings: until the end of the transaction, no day is closed and no device moves. */
export async function lockSiteShared(sql: Sql, siteUuid: string): Promise<LockedSiteState | undefined> {
  const [row] = await sql<LockedSiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)}, pg_postmaster_start_time()::text AS server
    FROM site_state WHERE site_uuid = ${siteUuid} FOR KEY SHARE`
  return row
}

/** Lock for closing days, moving devices and deleting readings: waits for transactions that add readings. */
export async function lockSiteExclusive(sql: Sql, siteUuid: string): Promise<SiteState | undefined> {
  const [row] = await sql<SiteState[]>`
    SELECT ${sql.unsafe(COLUMNS)} FROM site_state WHERE site_uuid = ${siteUuid} FOR UPDATE`
  return row
}
