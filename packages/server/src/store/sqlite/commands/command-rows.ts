import type { DatabaseSync } from 'node:sqlite'
import { type Command, COMMAND_STATES } from '../../../domain/control/command/command.ts'
import type { Schedule } from '../../../domain/control/schedule/schedule.ts'
import type { CommandOutcome } from '../../../domain/control/command/store.ts'
import { SCHEDULE_TYPES } from '../../../domain/estate/inventory/inventory.ts'
import type { Steps } from '../../../kernel/steps.ts'
import { prepareOnce } from '../connect.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'

function outcomeFrom(row: Row): CommandOutcome {
  const state = COMMAND_STATES.find((known) => known === row['state'])
  if (!state) throw new Error('A command of an unknown state.')
  const failure = textOrNull(row, 'failure')
  return {
    state,
    completedAt: integerOrNull(row, 'completed_at'),
    failureReason: failure === null ? null : (JSON.parse(failure) as Command['failureReason']),
  }
}

export const commandFrom = (row: Row): Command => {
  const type = SCHEDULE_TYPES.find((known) => known === row['type'])
  if (!type) throw new Error('A command of an unknown type.')
  const outcome = outcomeFrom(row)
  return {
    siteUuid: text(row, 'site_uuid'),
    deviceUuid: text(row, 'device_uuid'),
    commandUuid: text(row, 'command_uuid'),
    partnerUuid: text(row, 'partner_uuid'),
    type,
    ...outcome,
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
    expiresAt: integer(row, 'expires_at'),
    clientReference: textOrNull(row, 'client_reference'),
    schedule: JSON.parse(text(row, 'schedule')) as Schedule,
  }
}

/** A step takes about a millisecond. */
const DEVICES_PER_STEP = 100

/** The outcome of the newest command of each device. */
export function* lastOutcomeSteps(
  db: DatabaseSync,
  siteUuid: string,
  deviceUuids: readonly string[],
): Steps<Map<string, CommandOutcome>> {
  const outcomes = new Map<string, CommandOutcome>()
  const newest = prepareOnce(
    db,
    `SELECT state, completed_at, failure FROM commands WHERE site_uuid = ? AND device_uuid = ?
     ORDER BY created_at DESC, command_uuid DESC LIMIT 1`,
  )
  for (const [index, deviceUuid] of deviceUuids.entries()) {
    const row = newest.get(siteUuid, deviceUuid)
    if (row) outcomes.set(deviceUuid, outcomeFrom(row))
    if (index % DEVICES_PER_STEP === DEVICES_PER_STEP - 1) yield
  }
  return outcomes
}

export function findCommand(
  db: DatabaseSync,
  siteUuid: string,
  deviceUuid: string,
  commandUuid: string,
): Command | undefined {
  const row = prepareOnce(
    db,
    'SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND command_uuid = ?',
  ).get(siteUuid, deviceUuid, commandUuid)
  return row && commandFrom(row)
}

/** Commands that are not in a final state, oldest first. */
export const unfinishedCommands = (db: DatabaseSync, siteUuid: string, deviceUuid: string): Command[] =>
  prepareOnce(
    db,
    `SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND deadline_at IS NOT NULL
     ORDER BY created_at, command_uuid`,
  )
    .all(siteUuid, deviceUuid)
    .map(commandFrom)

export function insertCommand(
  db: DatabaseSync,
  command: Command,
  endsAt: number | null,
  deadlineAt: number | null,
): void {
  prepareOnce(
    db,
    `INSERT INTO commands (site_uuid, device_uuid, command_uuid, partner_uuid, type, state, created_at, updated_at,
       expires_at, completed_at, failure, client_reference, schedule, ends_at, deadline_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    endsAt,
    deadlineAt,
  )
}

export const updateState = (db: DatabaseSync, command: Command, deadlineAt: number | null): void =>
  void prepareOnce(
    db,
    `UPDATE commands SET state = ?, updated_at = ?, completed_at = ?, failure = ?, deadline_at = ?
     WHERE site_uuid = ? AND device_uuid = ? AND command_uuid = ?`,
  ).run(
    command.state,
    command.updatedAt,
    command.completedAt,
    command.failureReason && JSON.stringify(command.failureReason),
    deadlineAt,
    command.siteUuid,
    command.deviceUuid,
    command.commandUuid,
  )
