import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import { COMMAND_STATES, type Command, type Schedule } from '../../command/command.ts'
import type { CommandStore } from '../../command/store.ts'
import { SCHEDULE_TYPES } from '../../inventory/inventory.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from './row.ts'
import type { Writer } from './writer.ts'

const fromRow = (row: Row): Command => {
  const type = SCHEDULE_TYPES.find((known) => known === row['type'])
  const state = COMMAND_STATES.find((known) => known === row['state'])
  if (!type || !state) throw new Error('A command of an unknown type or state.')
  const failure = textOrNull(row, 'failure')
  return {
    siteUuid: text(row, 'site_uuid'),
    deviceUuid: text(row, 'device_uuid'),
    commandUuid: text(row, 'command_uuid'),
    partnerUuid: text(row, 'partner_uuid'),
    type,
    state,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    expiresAt: integer(row, 'expires_at'),
    completedAt: integerOrNull(row, 'completed_at'),
    failureReason: failure === null ? null : (JSON.parse(failure) as Command['failureReason']),
    clientReference: textOrNull(row, 'client_reference'),
    schedule: JSON.parse(text(row, 'schedule')) as Schedule,
  }
}

export const commandWrites = {
  addCommand(db: DatabaseSync, command: Command, entry: AuditEntry): void {
    prepared(
      db,
      `INSERT INTO commands (site_uuid, device_uuid, command_uuid, partner_uuid, type, state, created_at, updated_at,
         expires_at, completed_at, failure, client_reference, schedule)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      command.siteUuid,
      command.deviceUuid,
      command.commandUuid,
      command.partnerUuid,
      command.type,
      command.state,
      command.createdAt,
      command.updatedAt,
      command.expiresAt,
      command.completedAt,
      command.failureReason && JSON.stringify(command.failureReason),
      command.clientReference,
      JSON.stringify(command.schedule),
    )
    recordAudit(db, entry)
  },
}

export const sqliteCommands = (reader: () => DatabaseSync, writer: Writer): CommandStore => ({
  add: (_siteUuid, command, entry) => writer.run('addCommand', command, entry),
  get: (siteUuid, deviceUuid, commandUuid) =>
    reading(() => {
      const row = prepared(
        reader(),
        'SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND command_uuid = ?',
      ).get(siteUuid, deviceUuid, commandUuid)
      return row && fromRow(row)
    }),
  list: (siteUuid, deviceUuid, { before, limit }) =>
    reading(() =>
      prepared(
        reader(),
        `SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND (created_at, command_uuid) < (?, ?)
         ORDER BY created_at DESC, command_uuid DESC LIMIT ?`,
      )
        .all(
          siteUuid,
          deviceUuid,
          before?.createdAt ?? Number.MAX_SAFE_INTEGER,
          before?.commandUuid ?? '',
          limit,
        )
        .map(fromRow),
    ),
})
