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
    list: async (siteUuid, unitUuids) =>
      translateErrors(() => {
        const ofSite = 'SELECT unit_uuid, is_online, at FROM presences WHERE site_uuid = ?'
        const rows = unitUuids
          ? unitUuids.flatMap((unit) =>
              prepareOnce(reader(), `${ofSite} AND unit_uuid = ?`).all(siteUuid, unit),
            )
          : prepareOnce(reader(), ofSite).all(siteUuid)
        return new Map(
          rows.map((row): [string, Presence] => [
            text(row, 'unit_uuid'),
            { isOnline: flag(row, 'is_online'), at: integer(row, 'at') },
          ]),
        )
      }),
  })
