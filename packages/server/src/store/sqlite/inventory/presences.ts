import type { DatabaseSync } from 'node:sqlite'
import type { Presence, PresenceStore } from '../../../domain/estate/presence.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { flag, integer, text } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqlitePresences = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'presences'>,
): PresenceStore =>
  withWrites<PresenceStore, 'presences'>(writes, {
    list: async (siteUuid, senderUuids) =>
      translateErrors(() => {
        const ofSite = 'SELECT sender_uuid, is_online, at FROM presences WHERE site_uuid = ?'
        const rows = senderUuids
          ? senderUuids.flatMap((senderUuid) =>
              prepareOnce(reader(), `${ofSite} AND sender_uuid = ?`).all(siteUuid, senderUuid),
            )
          : prepareOnce(reader(), ofSite).all(siteUuid)
        return new Map(
          rows.map((row): [string, Presence] => [
            text(row, 'sender_uuid'),
            { isOnline: flag(row, 'is_online'), at: integer(row, 'at') },
          ]),
        )
      }),
  })
