import { statfsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { CommandState } from '../../domain/control/command/command.ts'
import type { StoreStatistics } from '../statistics.ts'
import { prepareArraysOnce } from './connect.ts'
import { getJournal } from './journal/journal.ts'

export function readStatistics(
  db: DatabaseSync,
  file: string,
  { now, finishedSince }: { now: number; finishedSince: number },
): StoreStatistics {
  const [[queuedRollups, dueSince] = [0, null]] = prepareArraysOnce<[count: number, dueSince: number | null]>(
    db,
    'SELECT count(*), min(nullif(due_at, 0)) FROM rollup_queue WHERE due_at <= ?',
  ).all(now)
  const [[outboxMessages, oldestAt] = [0, null]] = prepareArraysOnce<
    [count: number, oldestAt: number | null]
  >(db, 'SELECT count(*), min(created_at) FROM outbox WHERE is_done = 0').all()
  const { bavail, bsize } = statfsSync(file)
  return {
    siteUuids: prepareArraysOnce<[string]>(db, 'SELECT site_uuid FROM sites').all().flat(),
    journalReadings: getJournal(db).hot().size,
    queuedRollups,
    rollupDueSince: dueSince ?? undefined,
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
    outboxMessages,
    outboxOldestAt: oldestAt ?? undefined,
    bytes: fileSize(file) + fileSize(`${file}-wal`),
    freeBytes: bavail * bsize,
  }
}

const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
