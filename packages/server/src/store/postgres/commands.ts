import { messageOf, outcomeEntry, supersededBy, superseding } from '../../command/changes.ts'
import type { Command } from '../../command/command.ts'
import { isFinal } from '../../command/states.ts'
import type { AddOutcome, CommandStore, NewCommand } from '../../command/store.ts'
import { recordAudit } from './audit.ts'
import { change } from './command-changes.ts'
import { lockDevice, lockDevices } from './command-lock.ts'
import {
  type CommandRow,
  commandFrom,
  findCommands,
  insertCommand,
  unfinishedCommands,
} from './command-rows.ts'
import { endOverdue } from './command-time.ts'
import type { Database, Sql } from './connect.ts'
import { keepKey, replayOf } from './idempotency.ts'
import { putMessages } from './outbox-rows.ts'
import { addPlayer } from './player-rows.ts'

export const postgresCommands = (db: Database): CommandStore => ({
  // The same key may be used for two devices at once: who comes second repeats and finds what the first answered.
  add: (siteUuid, added) => db.write((sql) => add(sql, siteUuid, added), { repeatsTaken: true }),
  replay: (siteUuid, key, now) => db.read((sql) => replayOf(sql, siteUuid, key, now)),
  get: (siteUuid, deviceUuid, commandUuid) =>
    db.read(async (sql) => (await findCommands(sql, siteUuid, [deviceUuid], [commandUuid]))[0]),
  list: (siteUuid, deviceUuid, { before, limit }) =>
    db.read(async (sql) => {
      const older = before
        ? sql`AND (created_at, command_uuid) < (${before.createdAt}, ${before.commandUuid})`
        : sql``
      const rows = await sql<CommandRow[]>`
        SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} ${older}
        ORDER BY created_at DESC, command_uuid DESC LIMIT ${limit}`
      return rows.map(commandFrom)
    }),
  unfinished: (siteUuid, deviceUuid) => db.read((sql) => unfinishedCommands(sql, siteUuid, deviceUuid)),
  confirmed: (siteUuid, deviceUuid, now) => db.read((sql) => confirmed(sql, siteUuid, deviceUuid, now)),
  apply: (siteUuid, deviceUuid, commandUuid, happening) =>
    db.write(async (sql) => {
      await lockDevices(sql, siteUuid, [deviceUuid])
      const [command] = await findCommands(sql, siteUuid, [deviceUuid], [commandUuid])
      if (!command) return undefined
      const [changed] = await change(sql, siteUuid, [{ command, happening }])
      return { command: changed ?? command, isChanged: changed !== undefined }
    }),
  passTime: (now) => endOverdue(db, now),
})

async function add(
  sql: Sql,
  siteUuid: string,
  { command, endsAt, siteZone, isPlayed, entry, key }: NewCommand,
): Promise<AddOutcome> {
  await lockDevice(sql, siteUuid, command.deviceUuid)
  const known = key && (await replayOf(sql, siteUuid, key, command.createdAt))
  if (known) return known
  const isOver = isFinal(command.state)
  if (!isOver) await supersedeOlder(sql, command, siteZone)
  if (isPlayed) await addPlayer(sql, siteUuid, command.deviceUuid)
  await insertCommand(sql, command, endsAt, isOver ? null : command.expiresAt)
  if (!isOver) await putMessages(sql, siteUuid, [messageOf(command)])
  if (key) await keepKey(sql, key, command)
  await recordAudit(sql, entry, ...(isOver ? [outcomeEntry(command)] : []))
  return { outcome: 'added' }
}

async function supersedeOlder(sql: Sql, command: Command, siteZone: string): Promise<void> {
  const { siteUuid, deviceUuid } = command
  const unfinished = await unfinishedCommands(sql, siteUuid, deviceUuid)
  const older = supersededBy(command, unfinished, siteZone)
  if (older.length === 0) return
  const happening = superseding(command)
  await change(
    sql,
    siteUuid,
    older.map((one) => ({ command: one, happening })),
  )
}

/** The newest of each slot, and one-offs that are not over. */
async function confirmed(sql: Sql, siteUuid: string, deviceUuid: string, now: number): Promise<Command[]> {
  const newest = (types: readonly string[]) => sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND state = 'CONFIRMED'
      AND type = ANY(${types}::text[])
    ORDER BY created_at DESC, command_uuid DESC LIMIT 1`
  const oneOffs = sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND state = 'CONFIRMED'
      AND type = 'oneOff' AND ends_at > ${now}`
  const rows = await Promise.all([newest(['weekly']), newest(['override', 'boost', 'resume']), oneOffs])
  return rows.flat().map(commandFrom)
}
