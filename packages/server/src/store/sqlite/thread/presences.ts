import type { DatabaseSync } from 'node:sqlite'
import type { Presence } from '../../../presence/presence.ts'
import { prepared } from '../connect.ts'

export const presenceWrites = {
  set(
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
