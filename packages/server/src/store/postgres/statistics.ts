import type { CommandState } from '../../domain/control/command/command.ts'
import type { StoreStatistics, WebhookCounts } from '../statistics.ts'
import type { Sql } from './pool/connect.ts'

export async function loadStatistics(
  sql: Sql,
  { now, finishedSince }: { now: number; finishedSince: number },
): Promise<StoreStatistics> {
  const sites = await sql<{ siteUuid: string }[]>`SELECT site_uuid AS "siteUuid" FROM sites`
  const [queue] = await sql<{ count: number; dueSince: number | null }[]>`
    SELECT count(*) AS count, min(nullif(due_at, 0)) AS "dueSince" FROM rollup_queue /* every site */
    WHERE due_at <= ${now}`
  const unfinished = await sql<{ state: CommandState; count: number; oldestAt: number }[]>`
    SELECT state, count(*) AS count, min(created_at) AS "oldestAt" FROM commands /* every site */
    WHERE deadline_at IS NOT NULL GROUP BY state`
  const finished = await sql<{ state: CommandState; count: number }[]>`
    SELECT state, count(*) AS count FROM commands /* every site */
    WHERE completed_at >= ${finishedSince} GROUP BY state`
  const [outbox] = await sql<{ count: number; oldestAt: number | null }[]>`
    SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM outbox /* every site */ WHERE NOT is_done`
  const [webhooks] = await sql<WebhookCounts[]>`
    SELECT count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NULL) AS enabled,
      count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NOT NULL) AS failing,
      count(*) FILTER (WHERE state = 'disabled') AS disabled FROM webhooks`
  const [deliveries] = await sql<{ count: number; oldestAt: number | null }[]>`
    SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM deliveries /* every site */ WHERE state = 'waiting'`
  const [size] = await sql<{ bytes: number }[]>`SELECT pg_database_size(current_database()) AS bytes`
  return {
    siteUuids: sites.map(({ siteUuid }) => siteUuid),
    journalReadings: 0,
    queuedRollups: queue?.count ?? 0,
    rollupDueSince: queue?.dueSince ?? undefined,
    unfinishedCommands: [...unfinished],
    finishedCommands: [...finished],
    outboxMessages: outbox?.count ?? 0,
    outboxOldestAt: outbox?.oldestAt ?? undefined,
    webhooks: webhooks ?? { enabled: 0, failing: 0, disabled: 0 },
    waitingDeliveries: deliveries?.count ?? 0,
    deliveryOldestAt: deliveries?.oldestAt ?? undefined,
    bytes: size?.bytes ?? 0,
    freeBytes: undefined,
  }
}
