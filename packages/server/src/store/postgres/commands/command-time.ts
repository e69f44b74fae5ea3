import { toTimeoutEvent } from '../../../domain/control/command/transition.ts'
import type { Command } from '../../../domain/control/command/command.ts'
import { applyTransitions } from './apply-transitions.ts'
import { lockDevices, type CommandRow, commandFrom } from './command-rows.ts'
import type { Database, Sql } from '../pool/connect.ts'

const BATCH = 1_000

/** Applies overdue deadlines site by site; one query over all sites finds the sites. */
export async function expireOverdue(db: Database, now: number): Promise<Command[]> {
  const sites = await db.read(
    (sql) => sql<{ site_uuid: string }[]>`
      SELECT /* every site */ DISTINCT site_uuid FROM commands WHERE deadline_at <= ${now} LIMIT ${BATCH}`,
  )
  const ended = await Promise.all(
    sites.map(({ site_uuid }) => db.write((sql) => endOfSite(sql, site_uuid, now))),
  )
  return ended.flat()
}

async function endOfSite(sql: Sql, siteUuid: string, now: number): Promise<Command[]> {
  const seen = await overdue(sql, siteUuid, now)
  await lockDevices(
    sql,
    siteUuid,
    seen.map(({ deviceUuid }) => deviceUuid),
  )
  // Read again, because they may have changed before they were locked.
  const locked = new Set(seen.map(({ commandUuid }) => commandUuid))
  const due = (await overdue(sql, siteUuid, now)).filter(({ commandUuid }) => locked.has(commandUuid))
  return applyTransitions(
    sql,
    siteUuid,
    due.map((command) => ({ command, event: toTimeoutEvent(command, now) })),
  )
}

async function overdue(sql: Sql, siteUuid: string, now: number): Promise<Command[]> {
  const rows = await sql<CommandRow[]>`
    SELECT * FROM commands WHERE site_uuid = ${siteUuid} AND deadline_at <= ${now} ORDER BY deadline_at LIMIT ${BATCH}`
  return rows.map(commandFrom)
}
