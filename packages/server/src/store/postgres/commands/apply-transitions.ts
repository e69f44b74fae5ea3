import type { Command } from '../../../domain/control/command/command.ts'
import type { CommandEvent } from '../../../domain/control/command/store.ts'
import { applyEvent, type Transition } from '../../../domain/control/command/transition.ts'
import { recordAudit } from '../identity/audit.ts'
import { appendCommandEvents } from '../events/command-events.ts'
import type { Sql } from '../pool/connect.ts'
import { dropMessages, getLeaseExpiries, putMessages } from './outbox-rows.ts'
import { replan } from './server-schedules.ts'

/**
 * Applies events to commands of one site, whose devices are locked, and writes the results. Returns the commands that
 * changed. Must be the last step of its transaction, because it adds to the event log.
 */
export async function applyTransitions(
  sql: Sql,
  siteUuid: string,
  happened: readonly { command: Command; event: CommandEvent }[],
): Promise<Command[]> {
  const leases = await getLeaseExpiries(
    sql,
    siteUuid,
    happened.map(({ command }) => command.commandUuid),
  )
  const transitions = happened.flatMap(
    ({ command, event }) => applyEvent(command, event, leases.get(command.commandUuid) ?? null) ?? [],
  )
  await writeTransitions(sql, siteUuid, transitions)
  await appendCommandEvents(sql, siteUuid, transitions)
  return transitions.map(({ command }) => command)
}

/** Does not write their events, which must be the last step of a transaction. */
export async function writeTransitions(
  sql: Sql,
  siteUuid: string,
  transitions: readonly Transition[],
): Promise<void> {
  if (transitions.length === 0) return
  const stopped = transitions.filter(({ stopsSending }) => stopsSending)
  await updateStates(sql, siteUuid, transitions)
  await dropMessages(
    sql,
    siteUuid,
    stopped.map(({ command }) => command.commandUuid),
  )
  await putMessages(
    sql,
    siteUuid,
    transitions.flatMap(({ cancel }) => cancel ?? []),
  )
  for (const { command, changesPlan } of transitions)
    if (changesPlan) await replan(sql, siteUuid, command.deviceUuid, command.updatedAt)
  await recordAudit(sql, ...transitions.flatMap(({ audit }) => audit))
}

/** Updates all commands in one statement, which looks the new state of each up by its UUID. */
async function updateStates(sql: Sql, siteUuid: string, transitions: readonly Transition[]): Promise<void> {
  const commands = transitions.map(({ command }) => command)
  const states = Object.fromEntries(
    transitions.map(
      ({ command: { commandUuid, state, updatedAt, completedAt, failureReason }, deadlineAt }) => [
        commandUuid,
        {
          state,
          updatedAt,
          completedAt,
          failure: failureReason && JSON.stringify(failureReason),
          deadlineAt,
        },
      ],
    ),
  )
  const become = sql`${sql.json(states)}::jsonb -> command_uuid::text`
  await sql`
    UPDATE commands SET state = ${become} ->> 'state', updated_at = (${become} ->> 'updatedAt')::bigint,
      completed_at = (${become} ->> 'completedAt')::bigint, failure = ${become} ->> 'failure',
      deadline_at = (${become} ->> 'deadlineAt')::bigint
    WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${commands.map(({ deviceUuid }) => deviceUuid)}::uuid[])
      AND command_uuid = ANY(${commands.map(({ commandUuid }) => commandUuid)}::uuid[])`
}
