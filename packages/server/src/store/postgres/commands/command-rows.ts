import { type Command, COMMAND_STATES } from '../../../domain/control/command/command.ts'
import type { Schedule } from '../../../domain/control/schedule/schedule.ts'
import type { CommandOutcome } from '../../../domain/control/command/store.ts'
import { SCHEDULE_TYPES } from '../../../domain/estate/inventory/inventory.ts'
import type { Sql } from '../pool/connect.ts'

export interface CommandRow {
  site_uuid: string
  device_uuid: string
  command_uuid: string
  partner_uuid: string
  type: string
  state: string
  created_at: number
  updated_at: number
  expires_at: number
  completed_at: number | null
  failure: string | null
  client_reference: string | null
  schedule: string
}

type OutcomeRow = Pick<CommandRow, 'state' | 'completed_at' | 'failure'>

function outcomeFrom(row: OutcomeRow): CommandOutcome {
  const state = COMMAND_STATES.find((known) => known === row.state)
  if (!state) throw new Error('A command of an unknown state.')
  return {
    state,
    completedAt: row.completed_at,
    failureReason: row.failure === null ? null : (JSON.parse(row.failure) as Command['failureReason']),
  }
}

export const commandFrom = (row: CommandRow): Command => {
  const type = SCHEDULE_TYPES.find((known) => known === row.type)
  if (!type) throw new Error('A command of an unknown type.')
  return {
    siteUuid: row.site_uuid,
    deviceUuid: row.device_uuid,
    commandUuid: row.command_uuid,
    partnerUuid: row.partner_uuid,
    type,
    ...outcomeFrom(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    clientReference: row.client_reference,
    schedule: JSON.parse(row.schedule) as Schedule,
  }
}

/** The outcome of the newest command of each device. */
export async function lastOutcomes(
  sql: Sql,
  siteUuid: string,
  deviceUuids: readonly string[],
): Promise<Map<string, CommandOutcome>> {
  const rows = await sql<(OutcomeRow & { deviceUuid: string })[]>`
    SELECT asked.device_uuid AS "deviceUuid", newest.state, newest.completed_at, newest.failure
    FROM unnest(${deviceUuids}::uuid[]) AS asked (device_uuid)
    CROSS JOIN LATERAL (
      SELECT state, completed_at, failure FROM commands
      WHERE site_uuid = ${siteUuid} AND device_uuid = asked.device_uuid
      ORDER BY created_at DESC, command_uuid DESC LIMIT 1
    ) AS newest`
  return new Map(rows.map((row) => [row.deviceUuid, outcomeFrom(row)]))
}

/** Commands that are not in a final state, oldest first. */
export async function unfinishedCommands(sql: Sql, siteUuid: string, deviceUuid: string): Promise<Command[]> {
  const rows = await sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND deadline_at IS NOT NULL
    ORDER BY created_at, command_uuid`
  return rows.map(commandFrom)
}

export async function findCommands(
  sql: Sql,
  siteUuid: string,
  deviceUuids: readonly string[],
  commandUuids: readonly string[],
): Promise<Command[]> {
  const rows = await sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${deviceUuids}::uuid[])
      AND command_uuid = ANY(${commandUuids}::uuid[])`
  return rows.map(commandFrom)
}

export async function insertCommand(
  sql: Sql,
  command: Command,
  endsAt: number | null,
  deadlineAt: number | null,
): Promise<void> {
  await sql`
    INSERT INTO commands (site_uuid, device_uuid, command_uuid, partner_uuid, type, state, created_at, updated_at,
      expires_at, completed_at, failure, client_reference, schedule, ends_at, deadline_at)
    VALUES (${command.siteUuid}, ${command.deviceUuid}, ${command.commandUuid}, ${command.partnerUuid},
      ${command.type}, ${command.state}, ${command.createdAt}, ${command.updatedAt}, ${command.expiresAt},
      ${command.completedAt}, ${command.failureReason && JSON.stringify(command.failureReason)},
      ${command.clientReference}, ${JSON.stringify(command.schedule)}, ${endsAt}, ${deadlineAt})`
}

/** Serialises changes of a device's commands over all instances. */
export async function lockDevice(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO commanded_devices (site_uuid, device_uuid) VALUES (${siteUuid}, ${deviceUuid})
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
  await lockDevices(sql, siteUuid, [deviceUuid])
}

/** Locks devices that have commands in a fixed order, so that two transactions cannot deadlock. */
export async function lockDevices(sql: Sql, siteUuid: string, deviceUuids: readonly string[]): Promise<void> {
  await sql`
    SELECT 1 FROM commanded_devices WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${deviceUuids}::uuid[])
    ORDER BY device_uuid FOR UPDATE`
}
