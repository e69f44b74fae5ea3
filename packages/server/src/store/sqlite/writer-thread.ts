import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { openWriter } from './connect.ts'
import { resultCodeOf } from './failure.ts'
import { migrate } from './migrate.ts'
import type { Reply, Request } from './writer.ts'
import { WRITES } from './writes.ts'

/**
 * The one writer. Requests that arrive together share one transaction and so one disk sync; each stands in a
 * savepoint of its own, and all are answered only after the commit.
 */
if (!parentPort) throw new Error('writer-thread runs as a worker only')
const port = parentPort
const db = openWriter((workerData as { file: string }).file)

let queue: Request[] = []

port.on('message', (request: Request) => {
  if (queue.push(request) === 1) setImmediate(flush)
})

function flush(): void {
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
    runAlone(request)
  }
  commitTogether(writes)
}

function commitTogether(requests: Request[]): void {
  if (requests.length === 0) return
  const replies: Reply[] = []
  try {
    db.exec('BEGIN IMMEDIATE')
    for (const request of requests) replies.push(attempt(db, request))
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    for (const request of requests) port.postMessage(failed(request.id, error))
    return
  }
  for (const reply of replies) port.postMessage(reply)
}

function attempt(connection: DatabaseSync, request: Request): Reply {
  if (request.kind !== 'write') throw new Error(`${request.kind} is not a write`)
  connection.exec('SAVEPOINT one')
  try {
    // The names and arguments are checked where the request is made: `writer.run`.
    const write = WRITES[request.name] as (db: DatabaseSync, ...rest: unknown[]) => unknown
    const value = write(connection, ...request.values)
    connection.exec('RELEASE one')
    return { id: request.id, ok: true, value }
  } catch (error) {
    // Some failures (a full disk) end the whole transaction: then nothing of the batch was kept.
    if (!connection.isTransaction) throw error
    connection.exec('ROLLBACK TO one')
    connection.exec('RELEASE one')
    return failed(request.id, error)
  }
}

function runAlone(request: Request): void {
  try {
    if (request.kind === 'close') {
      db.exec('PRAGMA optimize')
      db.close()
      port.postMessage({ id: request.id, ok: true, value: undefined } satisfies Reply)
      port.close()
      return
    }
    port.postMessage({ id: request.id, ok: true, value: migrate(db) } satisfies Reply)
  } catch (error) {
    port.postMessage(failed(request.id, error))
  }
}

function failed(id: number, error: unknown): Reply {
  const errcode = resultCodeOf(error)
  // SQLite's own failures say all in their message; of anything else the stack is what helps.
  const message =
    error instanceof Error
      ? ((errcode === undefined ? error.stack : undefined) ?? error.message)
      : String(error)
  return { id, ok: false, message, errcode }
}
