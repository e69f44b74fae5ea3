import type { DatabaseSync } from 'node:sqlite'
import { type CommandChange, toCommandEvent } from '../../../domain/control/command/command-event.ts'
import { prepareOnce } from '../connect.ts'
import { textOrNull } from '../row.ts'
import { appendEvents } from './event-rows.ts'

/** Adds the events of commands of one site, in the transaction that changes them. */
export const appendCommandEvents = (
  db: DatabaseSync,
  siteUuid: string,
  changes: readonly CommandChange[],
): void =>
  appendEvents(
    db,
    siteUuid,
    changes.map((change) => toCommandEvent(change, findSpace(db, siteUuid, change.command.deviceUuid))),
  )

function findSpace(db: DatabaseSync, siteUuid: string, deviceUuid: string): string | null {
  const row = prepareOnce(
    db,
    `SELECT record ->> 'spaceUuid' AS space_uuid FROM devices WHERE site_uuid = ? AND device_uuid = ?`,
  ).get(siteUuid, deviceUuid)
  return row ? textOrNull(row, 'space_uuid') : null
}
