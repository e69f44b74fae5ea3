import type { DatabaseSync } from 'node:sqlite'
import type { Presence } from '../../presence/presence.ts'
import type { PresenceStore } from '../../presence/store.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { flag, integer, text } from './row.ts'
import type { Writer } from './writer.ts'

export const presenceWrites = {
  setPresence(
    db: DatabaseSync,
    siteUuid: string,
    unitUuid: string,
    { isOnline, at }: Presence,
    isRepeated: boolean,
  ): void {
    prepared(
      db,
      `INSERT INTO presences (site_uuid, unit_uuid, is_online, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (site_uuid, unit_uuid) DO UPDATE SET is_online = excluded.is_online, at = excluded.at
       ${isRepeated ? 'WHERE is_online <> excluded.is_online' : ''}`,
    ).run(siteUuid, unitUuid, isOnline ? 1 : 0, at)
  },

  forgetOnline(db: DatabaseSync): void {
    prepared(db, 'DELETE FROM presences WHERE is_online = 1').run()
  },
}

export const sqlitePresences = (reader: () => DatabaseSync, writer: Writer): PresenceStore => ({
  set: (siteUuid, unitUuid, presence, isRepeated) =>
    writer.run('setPresence', siteUuid, unitUuid, presence, isRepeated),
  list: async (siteUuid, unitUuids) =>
    translateErrors(() => {
      const ofSite = 'SELECT unit_uuid, is_online, at FROM presences WHERE site_uuid = ?'
      const rows = unitUuids
        ? unitUuids.flatMap((unit) => prepared(reader(), `${ofSite} AND unit_uuid = ?`).all(siteUuid, unit))
        : prepared(reader(), ofSite).all(siteUuid)
      return new Map(
        rows.map((row): [string, Presence] => [
          text(row, 'unit_uuid'),
          { isOnline: flag(row, 'is_online'), at: integer(row, 'at') },
        ]),
      )
    }),
  forgetOnline: () => writer.run('forgetOnline'),
})
