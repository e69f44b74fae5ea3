import type { Site } from '../../../domain/estate/inventory/inventory.ts'
import type { SiteStore } from '../../../domain/estate/inventory/store.ts'
import type { Database, Sql } from '../pool/connect.ts'

export const postgresSites = (db: Database): SiteStore => ({
  list: (siteUuids) =>
    db.read(async (sql) => [
      ...(await sql<Site[]>`
        SELECT site_uuid AS "siteUuid", site_name AS "siteName", time_zone AS "timeZone", sandbox
        FROM sites WHERE site_uuid = ANY(${siteUuids}::uuid[]) ORDER BY site_name, site_uuid`),
    ]),
  listAll: ({ after, limit, search }) =>
    db.read(async (sql) => {
      const later = after ? sql`AND (site_name, site_uuid) > (${after.siteName}, ${after.siteUuid})` : sql``
      const matching =
        search === undefined
          ? sql``
          : sql`AND (strpos(lower(site_name), lower(${search}::text)) > 0 OR site_uuid::text = lower(${search}::text))`
      return [
        ...(await sql<Site[]>`
          /* every site */ SELECT site_uuid AS "siteUuid", site_name AS "siteName", time_zone AS "timeZone", sandbox
          FROM sites WHERE true ${later} ${matching} ORDER BY site_name, site_uuid LIMIT ${limit}`),
      ]
    }),
})

/** The given sites that do not exist. Sites are never deleted, so no lock is needed. */
export async function unknownSites(sql: Sql, siteUuids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ site_uuid: string }[]>`
    SELECT site_uuid FROM sites WHERE site_uuid = ANY(${siteUuids}::uuid[])`
  const known = new Set(rows.map((row) => row.site_uuid))
  return siteUuids.filter((siteUuid) => !known.has(siteUuid))
}
