import { type CommandChange, toCommandEvent } from '../../../domain/control/command/command-event.ts'
import type { Sql } from '../pool/connect.ts'
import { appendEvents } from './event-rows.ts'

/** Adds the events of commands of one site, as the last step of the transaction that changes them. */
export async function appendCommandEvents(
  sql: Sql,
  siteUuid: string,
  changes: readonly CommandChange[],
): Promise<void> {
  if (changes.length === 0) return
  const deviceUuids = [...new Set(changes.map(({ command }) => command.deviceUuid))]
  const rows = await sql<{ deviceUuid: string; spaceUuid: string | null }[]>`
    SELECT device_uuid AS "deviceUuid", record::json ->> 'spaceUuid' AS "spaceUuid" FROM devices
    WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${deviceUuids}::uuid[])`
  const spaces = new Map(rows.map(({ deviceUuid, spaceUuid }) => [deviceUuid, spaceUuid]))
  await appendEvents(
    sql,
    siteUuid,
    changes.map((change) => toCommandEvent(change, spaces.get(change.command.deviceUuid) ?? null)),
  )
}
