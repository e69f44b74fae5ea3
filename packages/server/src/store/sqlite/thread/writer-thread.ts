import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { collectGarbage } from '../../../kernel/collect-garbage.ts'
import { openWriter } from '../connect.ts'
import { listenForDamage } from '../damage.ts'
import { CORRUPT, getResultCode } from '../failure.ts'
import { createMaintenance } from './maintenance.ts'
import { getJournal } from '../journal/journal.ts'
import { resetLatestCompacted } from '../journal/latest-readings.ts'
import { migrate } from '../migrate.ts'
import { forgetStoredChanges } from './stored-changes.ts'
import { repairWrites } from './repair.ts'
import { forgetSeriesIndexes } from '../rollups/series-index.ts'
import { beginImmediate, type LockWait, START_LOCK_WAIT_MS } from '../write-lock.ts'
import type { Notice, Reply, Request, WriterData } from '../writer.ts'
import { WRITES } from './writes.ts'

/**
 * The only writer. Requests that arrive together share one transaction and one disk sync; each has its own savepoint,
 * and all are acknowledged after the commit. Runs maintenance in between.
 */
if (!parentPort) throw new Error('writer-thread runs as a worker only')
const port = parentPort
const { file, runsMaintenance, rawRetentionMs } = workerData as WriterData
const db = openWriter(file)
const notify = (notice: Notice): void => port.postMessage(notice)
const maintenance = createMaintenance(db, systemClock, rawRetentionMs, inTransaction, (event) =>
  notify({ notice: 'maintenance', event }),
)

/** Interval of maintenance while nothing is written. */
const LOOK_EVERY_MS = 15_000
/** Delay of maintenance after the last write: days of an import in progress are rolled up once, not one by one. */
const QUIET_MS = 1_000
/** Longest delay of maintenance under continuous writes. */
const PUT_OFF_MS = 5_000
/**
 * Delay while the server starts. Another process may be storing the demo's history, which must not wait for the rollups
 * of its first series.
 */
const START_PUT_OFF_MS = 60_000
/** Steps of maintenance after which garbage is collected. */
const MANY_STEPS = 100

const REBUILT = new Set(['rollup_days', 'rollup_months', 'latest_readings'])

listenForDamage(db, (row) => {
  notify({ notice: 'damage', row })
  // Damaged readings are quarantined by the write that needs them; see quarantine.ts.
  if (db.isTransaction && REBUILT.has(row.table)) repairWrites.repairDamage(db, row)
})

/** The wait during startup, until `setLockWait` shortens it; a command never does. */
const lockWait: LockWait = { maxMs: START_LOCK_WAIT_MS, onLocked: () => notify({ notice: 'locked' }) }

let queue: Request[] = []
let isBusy = false

port.on('message', (request: Request) => {
  if (queue.push(request) === 1 && !isBusy) setImmediate(() => void flush())
})

async function flush(): Promise<void> {
  isBusy = true
  while (queue.length > 0) {
    const batch = queue
    queue = []
    let writes: Request[] = []
    for (const request of batch) {
      if (request.kind === 'write') {
        writes.push(request)
        continue
      }
      commitTogether(writes)
      writes = []
      await runAlone(request)
    }
    commitTogether(writes)
    const hasGrown = writes.some((request) => request.kind === 'write' && request.group === 'readings')
    if (hasGrown && maintenance.isUrgent()) await maintenance.step()
    await nextTurn()
  }
  isBusy = false
  if (db.isOpen) lookAfterWrite()
}

/** Lets the event loop receive messages. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

let looking: NodeJS.Timeout | undefined
/** Whether the last maintenance step has left work. */
let hasMore = false
/** Time of the first write since then. */
let writtenAt: number | undefined
let steps = 0

function lookAfter(delayMs: number): void {
  clearTimeout(looking)
  if (runsMaintenance) looking = setTimeout(() => void runMaintenanceLoop(), Math.max(0, delayMs)).unref()
}

function lookAfterWrite(): void {
  const now = systemClock.now()
  writtenAt ??= now
  const isStarting = lockWait.maxMs === START_LOCK_WAIT_MS
  if (isStarting) lookAfter(writtenAt + START_PUT_OFF_MS - now)
  else lookAfter(hasMore ? 0 : Math.min(QUIET_MS, writtenAt + PUT_OFF_MS - now))
}

async function runMaintenanceLoop(): Promise<void> {
  // While requests are written, maintenance follows afterwards.
  if (!db.isOpen || isBusy) return
  isBusy = true
  writtenAt = undefined
  hasMore = await maintenance.step()
  steps += 1
  if (!hasMore) {
    if (steps > MANY_STEPS) collectGarbage()
    steps = 0
  }
  isBusy = false
  if (queue.length > 0) setImmediate(() => void flush())
  else lookAfter(hasMore ? 0 : LOOK_EVERY_MS)
}

function commitTogether(requests: Request[]): void {
  if (requests.length === 0) return
  const replies: Reply[] = []
  try {
    beginImmediate(db, lockWait)
    for (const request of requests) replies.push(attempt(db, request))
    db.exec('COMMIT')
  } catch (error) {
    rollBack()
    for (const request of requests) port.postMessage(failed(request.id, error))
    return
  }
  for (const reply of replies) port.postMessage(reply)
}

type Write = (db: DatabaseSync, ...values: unknown[]) => unknown

/** Names and arguments were checked by the compiler where the request was made: `BoundWrites`. */
function findWrite(group: string, name: string): Write {
  const write = (WRITES as unknown as Record<string, Record<string, Write>>)[group]?.[name]
  if (!write) throw new Error(`There is no write ${group}.${name}`)
  return write
}

function attempt(connection: DatabaseSync, request: Request): Reply {
  if (request.kind !== 'write') throw new Error(`${request.kind} is not a write`)
  connection.exec('SAVEPOINT one')
  try {
    const value = findWrite(request.group, request.name)(connection, ...request.values)
    connection.exec('RELEASE one')
    return { id: request.id, ok: true, value }
  } catch (error) {
    // Some failures (a full disk) end the whole transaction: then nothing of the batch was kept.
    if (!connection.isTransaction) throw error
    connection.exec('ROLLBACK TO one')
    connection.exec('RELEASE one')
    forgetMemory()
    return failed(request.id, error)
  }
}

async function inTransaction(work: () => Promise<boolean>): Promise<boolean> {
  beginImmediate(db)
  try {
    const result = await work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack()
    throw error
  }
}

function rollBack(): void {
  if (db.isTransaction) db.exec('ROLLBACK')
  forgetMemory()
}

/** Resets caches that contain data of a rolled-back transaction. */
function forgetMemory(): void {
  getJournal(db).reset()
  forgetStoredChanges(db)
  resetLatestCompacted(db)
  forgetSeriesIndexes(db)
}

async function runAlone(request: Request): Promise<void> {
  try {
    port.postMessage({ id: request.id, ok: true, value: await alone(request) } satisfies Reply)
    if (request.kind === 'close') port.close()
  } catch (error) {
    port.postMessage(failed(request.id, error))
  }
}

async function alone(request: Request): Promise<unknown> {
  if (request.kind === 'migrate') return migrate(db, lockWait)
  if (request.kind === 'run-maintenance') return maintenance.runToCompletion()
  if (request.kind === 'lockWait') {
    lockWait.maxMs = request.maxMs
    return undefined
  }
  clearTimeout(looking)
  optimize()
  db.close()
  return undefined
}

/**
 * Updates the query planner's statistics. This writes to the file; a failure is ignored, because all requested writes
 * are already stored.
 */
function optimize(): void {
  if (!runsMaintenance) return
  try {
    db.exec('PRAGMA optimize')
  } catch {}
}

function failed(id: number, error: unknown): Reply {
  const errcode = error instanceof AppError ? CORRUPT : getResultCode(error)
  if (error instanceof AppError) return { id, ok: false, message: error.internal ?? error.message, errcode }
  // The message of a SQLite error is sufficient; other errors need their stack.
  const message =
    error instanceof Error
      ? ((errcode === undefined ? error.stack : undefined) ?? error.message)
      : String(error)
  return { id, ok: false, message, errcode }
}
