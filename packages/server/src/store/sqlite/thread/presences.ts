import type { DatabaseSync } from 'node:sqlite'
import type { Presence } from '../../../domain/estate/presence.ts'
import { prepareOnce } from '../connect.ts'

export const presenceWrites = {
  set(
    db: DatabaseSync,
    siteUuid: string,
    senderUuid: string,
    { isOnline, at }: Presence,
    isRepeated: boolean,
  ): void {
    prepareOnce(
      db,
      `INSERT INTO presences (site_uuid, sender_uuid, is_online, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (site_uuid, sender_uuid) DO UPDATE SET is_online = excluded.is_online, at = excluded.at
       ${isRepeated ? 'WHERE is_online <> excluded.is_online' : ''}`,
    ).run(siteUuid, senderUuid, isOnline ? 1 : 0, at)
  },

  forgetOnline(db: DatabaseSync): void {
    prepareOnce(db, 'DELETE FROM presences WHERE is_online = 1').run()
  },
}
