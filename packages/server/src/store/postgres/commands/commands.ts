import type { Command } from '../../../domain/control/command/command.ts'
import {
  canSupersede,
  decideAdd,
  type SupersededCommand,
  IDEMPOTENCY_KEY_TTL_MS,
  toReplayOutcome,
} from '../../../domain/control/command/decide-add.ts'
import type {
  AddOutcome,
  CommandStore,
  NewCommand,
  IdempotencyKey,
} from '../../../domain/control/command/store.ts'
import { findSuperseded } from '../../../domain/control/command/transition.ts'
import { recordAudit } from '../identity/audit.ts'
import { applyTransitions, writeTransitions } from './apply-transitions.ts'
import {
  lockDevice,
  lockDevices,
  type CommandRow,
  commandFrom,
  findCommands,
  insertCommand,
  lastOutcomes,
  unfinishedCommands,
} from './command-rows.ts'
import { expireOverdue } from './command-time.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { appendCommandEvents } from '../events/command-events.ts'
import { getLeaseExpiries, putMessages } from './outbox-rows.ts'
import { addServerSchedule } from './server-schedules.ts'

export const postgresCommands = (db: Database): CommandStore => ({
  // Two devices may be commanded with one key concurrently: the second transaction is retried and finds the first
  // response.
  add: (siteUuid, added) => db.write((sql) => add(sql, siteUuid, added), { retryOnDuplicate: true }),
  replay: (siteUuid, key, now) => db.read((sql) => findReplay(sql, siteUuid, key, now)),
  get: (siteUuid, deviceUuid, commandUuid) =>
    db.read(async (sql) => (await findCommands(sql, siteUuid, [deviceUuid], [commandUuid]))[0]),
  list: (siteUuid, deviceUuid, { before, limit }) =>
    db.read(async (sql) => {
      const older = before
        ? sql`AND (created_at, command_uuid) < (${before.createdAt}, ${before.commandUuid})`
        : sql``
      const ofDevice = deviceUuid === undefined ? sql`` : sql`AND device_uuid = ${deviceUuid}`
      const rows = await sql<CommandRow[]>`
        SELECT * FROM commands WHERE site_uuid = ${siteUuid} ${ofDevice} ${older}
        ORDER BY created_at DESC, command_uuid DESC LIMIT ${limit}`
      return rows.map(commandFrom)
    }),
  search: ({ createdFrom, siteUuid, partnerUuid, state }, { before, limit }) =>
    db.read(async (sql) => {
      const older = before
        ? sql`AND (created_at, command_uuid) < (${before.createdAt}, ${before.commandUuid})`
        : sql``
      const ofSite = siteUuid === undefined ? sql`` : sql`AND site_uuid = ${siteUuid}`
      const ofPartner = partnerUuid === undefined ? sql`` : sql`AND partner_uuid = ${partnerUuid}`
      const inState = state === undefined ? sql`` : sql`AND state = ${state}`
      const rows = await sql<CommandRow[]>`
        SELECT * FROM commands /* every site */
        WHERE created_at >= ${createdFrom} ${ofSite} ${ofPartner} ${inState} ${older}
        ORDER BY created_at DESC, command_uuid DESC LIMIT ${limit}`
      return rows.map(commandFrom)
    }),
  lastOutcomes: (siteUuid, deviceUuids) => db.read((sql) => lastOutcomes(sql, siteUuid, deviceUuids)),
  unfinished: (siteUuid, deviceUuid) => db.read((sql) => unfinishedCommands(sql, siteUuid, deviceUuid)),
  confirmed: (siteUuid, deviceUuid, now) => db.read((sql) => confirmed(sql, siteUuid, deviceUuid, now)),
  apply: (siteUuid, deviceUuid, commandUuid, event) =>
    db.write(async (sql) => {
      await lockDevices(sql, siteUuid, [deviceUuid])
      const [command] = await findCommands(sql, siteUuid, [deviceUuid], [commandUuid])
      if (!command) return undefined
      const [changed] = await applyTransitions(sql, siteUuid, [{ command, event }])
      return { command: changed ?? command, isChanged: changed !== undefined }
    }),
  expireOverdue: (now) => expireOverdue(db, now),
})

async function add(sql: Sql, siteUuid: string, added: NewCommand): Promise<AddOutcome> {
  const { deviceUuid, createdAt } = added.command
  await lockDevice(sql, siteUuid, deviceUuid)
  const known = added.key && (await findReplay(sql, siteUuid, added.key, createdAt))
  if (known) return known
  const decision = decideAdd(added, await loadSuperseded(sql, siteUuid, added))
  await writeTransitions(sql, siteUuid, decision.transitions)
  if (decision.startsServerSchedule) await addServerSchedule(sql, siteUuid, deviceUuid)
  await insertCommand(sql, decision.command, decision.endsAt, decision.deadlineAt)
  if (decision.message) await putMessages(sql, siteUuid, [decision.message])
  if (decision.key) await insertIdempotencyKey(sql, decision.key, decision.command)
  await recordAudit(sql, ...decision.audit)
  await appendCommandEvents(sql, siteUuid, decision.changed)
  return { outcome: 'added' }
}

async function loadSuperseded(
  sql: Sql,
  siteUuid: string,
  { command, siteZone }: NewCommand,
): Promise<SupersededCommand[]> {
  if (!canSupersede(command)) return []
  const unfinished = await unfinishedCommands(sql, siteUuid, command.deviceUuid)
  const superseded = findSuperseded(command, unfinished, siteZone)
  if (superseded.length === 0) return []
  const leases = await getLeaseExpiries(
    sql,
    siteUuid,
    superseded.map(({ commandUuid }) => commandUuid),
  )
  return superseded.map((older) => ({ command: older, leasedUntil: leases.get(older.commandUuid) ?? null }))
}

/** The newest confirmed command of each slot, and one-offs that have not ended. */
async function confirmed(sql: Sql, siteUuid: string, deviceUuid: string, now: number): Promise<Command[]> {
  const newest = (types: readonly string[]) => sql<CommandRow[]>`
    SELECT command.* FROM unnest(${types}::text[]) AS wanted (type)
    CROSS JOIN LATERAL (
      SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND state = 'CONFIRMED'
        AND type = wanted.type
      ORDER BY created_at DESC, command_uuid DESC LIMIT 1
    ) AS command
    ORDER BY created_at DESC, command_uuid DESC LIMIT 1`
  const oneOffs = sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND state = 'CONFIRMED'
      AND type = 'oneOff' AND ends_at > ${now}`
  const rows = await Promise.all([newest(['weekly']), newest(['override', 'boost', 'resume']), oneOffs])
  return rows.flat().map(commandFrom)
}

/** The outcome of an earlier request with this key, for a day. */
async function findReplay(
  sql: Sql,
  siteUuid: string,
  use: IdempotencyKey,
  now: number,
): Promise<AddOutcome | undefined> {
  const [stored] = await sql<{ digest: Uint8Array; command: string }[]>`
    SELECT digest, command FROM idempotency_keys
    WHERE site_uuid = ${siteUuid} AND partner_uuid = ${use.partnerUuid} AND key = ${use.key}
      AND created_at > ${now - IDEMPOTENCY_KEY_TTL_MS}`
  return stored && toReplayOutcome(use, stored)
}

async function insertIdempotencyKey(
  sql: Sql,
  { partnerUuid, key, digest }: IdempotencyKey,
  command: Command,
): Promise<void> {
  const { siteUuid, createdAt } = command
  await sql`
    DELETE FROM idempotency_keys WHERE site_uuid = ${siteUuid} AND created_at <= ${createdAt - IDEMPOTENCY_KEY_TTL_MS}`
  await sql`
    INSERT INTO idempotency_keys (site_uuid, partner_uuid, key, digest, command, created_at)
    VALUES (${siteUuid}, ${partnerUuid}, ${key}, ${digest}, ${JSON.stringify(command)}, ${createdAt})`
}
