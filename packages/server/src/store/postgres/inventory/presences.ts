import type { Presence, PresenceStore } from '../../../domain/estate/presence.ts'
import type { Database } from '../pool/connect.ts'

interface Row extends Presence {
  senderUuid: string
}

export const postgresPresences = (db: Database): PresenceStore => ({
  set: (siteUuid, senderUuid, { isOnline, at }, isRepeated) =>
    db.change(async (sql) => {
      await sql`
        INSERT INTO presences AS known (site_uuid, sender_uuid, is_online, at)
        VALUES (${siteUuid}, ${senderUuid}, ${isOnline}, ${at})
        ON CONFLICT (site_uuid, sender_uuid) DO UPDATE SET is_online = excluded.is_online, at = excluded.at
        WHERE NOT ${isRepeated}::boolean OR known.is_online <> excluded.is_online`
    }),
  list: (siteUuid, senderUuids) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT sender_uuid AS "senderUuid", is_online AS "isOnline", at FROM presences
        WHERE site_uuid = ${siteUuid} ${senderUuids ? sql`AND sender_uuid = ANY(${senderUuids}::uuid[])` : sql``}`
      return new Map(rows.map(({ senderUuid, isOnline, at }) => [senderUuid, { isOnline, at }]))
    }),
  async forgetOnline() {
    const sites = await db.read(
      (sql) =>
        sql<
          { site_uuid: string }[]
        >`SELECT /* every site */ DISTINCT site_uuid FROM presences WHERE is_online`,
    )
    for (const { site_uuid } of sites)
      await db.change((sql) => sql`DELETE FROM presences WHERE site_uuid = ${site_uuid} AND is_online`)
  },
})
