import { type Change, changeOf, outcomeEntry } from '../../command/changes.ts'
import type { Command } from '../../command/command.ts'
import type { Happening } from '../../command/store.ts'
import { recordAudit } from './audit.ts'
import type { Sql } from './connect.ts'
import { dropMessages, leasesOf, putMessages } from './outbox-rows.ts'
import { replan } from './player-rows.ts'

/** Writes what happened to commands of one site, whose devices are locked; answers with those that it changed. */
export async function change(
  sql: Sql,
  siteUuid: string,
  happened: readonly { command: Command; happening: Happening }[],
): Promise<Command[]> {
  const leases = await leasesOf(
    sql,
    siteUuid,
    happened.map(({ command }) => command.commandUuid),
  )
  const changes: Change[] = []
  for (const { command, happening } of happened) {
    const made = changeOf(command, happening, leases.get(command.commandUuid) ?? null)
    if (made) changes.push(made)
  }
  if (changes.length > 0) await write(sql, siteUuid, changes)
  return changes.map(({ command }) => command)
}

async function write(sql: Sql, siteUuid: string, changes: readonly Change[]): Promise<void> {
  const over = changes.filter(({ isOver }) => isOver)
  const ended = changes.filter(({ endsSending }) => endsSending).map(({ command }) => command.commandUuid)
  await updateStates(sql, siteUuid, changes)
  await dropMessages(sql, siteUuid, ended)
  await putMessages(
    sql,
    siteUuid,
    changes.flatMap(({ cancel }) => cancel ?? []),
  )
  for (const { command } of over) await replan(sql, siteUuid, command.deviceUuid, command.updatedAt)
  await recordAudit(sql, ...over.map(({ command, actor }) => outcomeEntry(command, actor)))
}

/** One statement for all of them; what each becomes is looked up by its UUID. */
async function updateStates(sql: Sql, siteUuid: string, changes: readonly Change[]): Promise<void> {
  const commands = changes.map(({ command }) => command)
  const states = Object.fromEntries(
    changes.map(({ command: { commandUuid, state, updatedAt, completedAt, failureReason }, clockAt }) => [
      commandUuid,
      { state, updatedAt, completedAt, failure: failureReason && JSON.stringify(failureReason), clockAt },
    ]),
  )
  const become = sql`${sql.json(states)}::jsonb -> command_uuid::text`
  await sql`
    UPDATE commands SET state = ${become} ->> 'state', updated_at = (${become} ->> 'updatedAt')::bigint,
      completed_at = (${become} ->> 'completedAt')::bigint, failure = ${become} ->> 'failure',
      clock_at = (${become} ->> 'clockAt')::bigint
    WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${commands.map(({ deviceUuid }) => deviceUuid)}::uuid[])
      AND command_uuid = ANY(${commands.map(({ commandUuid }) => commandUuid)}::uuid[])`
}
