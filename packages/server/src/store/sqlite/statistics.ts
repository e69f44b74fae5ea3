import { statfsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { at } from '../../kernel/at.ts'
import type { CommandState } from '../../domain/control/command/command.ts'
import type { StoreStatistics } from '../statistics.ts'
import { prepareArraysOnce } from './connect.ts'
import { getJournal } from './journal/journal.ts'

export function readStatistics(
  db: DatabaseSync,
  file: string,
  { now, finishedSince }: { now: number; finishedSince: number },
): StoreStatistics {
  const queue = at(
    prepareArraysOnce<[count: number, dueSince: number | null]>(
      db,
      'SELECT count(*), min(nullif(due_at, 0)) FROM rollup_queue WHERE due_at <= ?',
    ).all(now),
    0,
  )
  const outbox = at(
    prepareArraysOnce<[count: number, oldestAt: number | null]>(
      db,
      'SELECT count(*), min(created_at) FROM outbox WHERE is_done = 0',
    ).all(),
    0,
  )
  const webhooks = at(
    prepareArraysOnce<[enabled: number, failing: number, disabled: number]>(
      db,
      `SELECT count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NULL),
         count(*) FILTER (WHERE state = 'enabled' AND failing_since IS NOT NULL),
         count(*) FILTER (WHERE state = 'disabled') FROM webhooks`,
    ).all(),
    0,
  )
  const deliveries = at(
    prepareArraysOnce<[count: number, oldestAt: number | null]>(
      db,
      "SELECT count(*), min(created_at) FROM deliveries WHERE state = 'waiting'",
    ).all(),
    0,
  )
  const { bavail, bsize } = statfsSync(file)
  return {
    siteUuids: prepareArraysOnce<[string]>(db, 'SELECT site_uuid FROM sites').all().flat(),
    journalReadings: getJournal(db).hot().size,
    queuedRollups: queue[0],
    rollupDueSince: queue[1] ?? undefined,
    unfinishedCommands: prepareArraysOnce<[state: CommandState, count: number, oldestAt: number]>(
      db,
      'SELECT state, count(*), min(created_at) FROM commands WHERE deadline_at IS NOT NULL GROUP BY state',
    )
      .all()
      .map(([state, count, oldestAt]) => ({ state, count, oldestAt })),
    finishedCommands: prepareArraysOnce<[state: CommandState, count: number]>(
      db,
      'SELECT state, count(*) FROM commands WHERE completed_at >= ? GROUP BY state',
    )
      .all(finishedSince)
      .map(([state, count]) => ({ state, count })),
    outboxMessages: outbox[0],
    outboxOldestAt: outbox[1] ?? undefined,
    webhooks: { enabled: webhooks[0], failing: webhooks[1], disabled: webhooks[2] },
    waitingDeliveries: deliveries[0],
    deliveryOldestAt: deliveries[1] ?? undefined,
    bytes: fileSize(file) + fileSize(`${file}-wal`),
    freeBytes: bavail * bsize,
  }
}

const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
