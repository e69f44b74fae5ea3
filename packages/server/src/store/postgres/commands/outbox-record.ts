import { toCancelMessage, isRevoked } from '../../../domain/control/command/transition.ts'
import type { Command } from '../../../domain/control/command/command.ts'
import type { Attempt, CommandEvent } from '../../../domain/control/command/store.ts'
import { applyTransitions } from './apply-transitions.ts'
import { lockDevices, findCommands } from './command-rows.ts'
import type { Sql } from '../pool/connect.ts'
import { deleteInDoubtCancel, putMessages, makeCancelDue } from './outbox-rows.ts'
import { setLastTarget } from './server-schedules.ts'

/** Records delivery attempts of one site. */
export async function recordAttempts(
  sql: Sql,
  siteUuid: string,
  attempts: readonly Attempt[],
  now: number,
): Promise<void> {
  const deviceUuids = attempts.map(({ deviceUuid }) => deviceUuid)
  const messageUuids = attempts.map(({ messageUuid }) => messageUuid)
  await lockDevices(sql, siteUuid, deviceUuids)
  for (const { deviceUuid, sentTarget } of attempts)
    if (sentTarget) await setLastTarget(sql, siteUuid, deviceUuid, sentTarget)
  const commands = await findCommands(sql, siteUuid, deviceUuids, messageUuids)
  const waiting = await updateMessages(sql, siteUuid, attempts, now)
  const sent = new Set(
    attempts.filter(({ outcome }) => outcome === 'sent').map(({ messageUuid }) => messageUuid),
  )
  // The device has already responded, which ended the delivery, or the command was revoked.
  for (const command of commands.filter(({ commandUuid }) => !waiting.has(commandUuid)))
    await resolveInDoubtCancel(sql, command, sent.has(command.commandUuid), now)
  const taken: CommandEvent = { event: 'taken-by-broker', reason: null, at: now }
  await applyTransitions(
    sql,
    siteUuid,
    commands
      .filter(({ commandUuid }) => sent.has(commandUuid) && waiting.has(commandUuid))
      .map((command) => ({ command, event: taken })),
  )
}

/** Updates the messages that still exist and returns their ids. */
async function updateMessages(
  sql: Sql,
  siteUuid: string,
  attempts: readonly Attempt[],
  now: number,
): Promise<Set<string>> {
  const outcomes = Object.fromEntries(
    attempts.map(({ messageUuid, outcome, dueAt, isDone }) => [messageUuid, { outcome, dueAt, isDone }]),
  )
  const became = sql`${sql.json(outcomes)}::jsonb -> message_uuid::text`
  const is = (outcome: Attempt['outcome']) => sql`${became} ->> 'outcome' = ${outcome}`
  // If the device reconnected while its message was leased, the message is due immediately.
  const rows = await sql<{ message_uuid: string }[]>`
    UPDATE outbox SET
      tries = tries + CASE WHEN ${is('sent')} THEN 1 ELSE 0 END,
      failures = failures + CASE WHEN ${is('refused')} THEN 1 ELSE 0 END,
      due_at = CASE WHEN retry_requested AND ${is('waits')} THEN ${now}::bigint ELSE (${became} ->> 'dueAt')::bigint END,
      sent_at = CASE WHEN ${is('sent')} THEN ${now}::bigint ELSE sent_at END,
      leased_until = NULL,
      is_done = is_done OR (${became} ->> 'isDone')::boolean
    WHERE site_uuid = ${siteUuid} AND message_uuid = ANY(${Object.keys(outcomes)}::uuid[])
    RETURNING message_uuid`
  return new Set(rows.map((row) => row.message_uuid))
}

/** Resolves the cancel of a command that was revoked after its message was claimed. */
async function resolveInDoubtCancel(sql: Sql, command: Command, wasSent: boolean, at: number): Promise<void> {
  if (!isRevoked(command)) return
  if (!wasSent) await deleteInDoubtCancel(sql, command)
  else if (!(await makeCancelDue(sql, command, at)))
    await putMessages(sql, command.siteUuid, [toCancelMessage(command, at)])
}
