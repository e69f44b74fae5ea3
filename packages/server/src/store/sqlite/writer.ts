import { extname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { unavailable } from '../../kernel/errors.ts'
import { startThread } from '../../kernel/start-thread.ts'
import type { MaintenanceEvent, MaintenanceListener } from '../maintenance.ts'
import type { DamagedRow, Migration } from '../store.ts'
import { resetDataVersions } from './connect.ts'
import { toStoreError } from './failure.ts'
import type { Writes } from './thread/writes.ts'

export type Work =
  | { kind: 'write'; group: string; name: string; values: unknown[] }
  | { kind: 'migrate' }
  | { kind: 'run-maintenance' }
  | { kind: 'lockWait'; maxMs: number }

export type Request = { id: number } & (Work | { kind: 'close' })

export type Reply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; message: string; errcode: number | undefined }

/** Notifications from the writer that are not replies. */
export type Notice =
  | { notice: 'locked' }
  | { notice: 'damage'; row: DamagedRow }
  | { notice: 'maintenance'; event: MaintenanceEvent }

export interface WriterOptions {
  /** Whether the writer runs maintenance when it is idle. */
  runsMaintenance: boolean
  /** How long readings are kept; undefined: forever. */
  rawRetentionMs: number | undefined
}

export interface WriterEvents {
  /** Called when the writer has to wait for the write lock. */
  onLocked?: (() => void) | undefined
}

export interface WriterData extends WriterOptions {
  file: string
}

/** Sends writes to the only writer, in a thread of this process or of another one. */
export interface WriterChannel {
  /** Settles after the commit. */
  send(work: Work): Promise<unknown>
  close(): Promise<void>
  /**
   * Registers a listener for damaged rows that the writer finds. Absent for a writer in another process, which reports
   * them there.
   */
  onDamage?(listener: (row: DamagedRow) => void): void
  /**
   * Registers a listener for background maintenance. Absent for a writer in another process, which reports it there.
   */
  onMaintenance?(listener: MaintenanceListener): void
}

type BoundWrite<W> = W extends (db: DatabaseSync, ...values: infer Values) => infer Result
  ? (...values: Values) => Promise<Result>
  : never

/** The writes of a group, sent to the writer. Each promise resolves after the commit. */
export type BoundWrites<G extends keyof Writes> = {
  readonly [W in keyof Writes[G]]: BoundWrite<Writes[G][W]>
}

export interface Writer {
  /** Writes by port. Only the writer thread knows their names, so the properties cannot be enumerated. */
  readonly writes: { readonly [G in keyof Writes]: BoundWrites<G> }
  migrate(): Promise<Migration[]>
  runMaintenance(): Promise<void>
  /** Sets how long later writes wait for the write lock while another process holds it. */
  setLockWait(maxMs: number): Promise<void>
  close(): Promise<void>
}

export function createWriter({ send, close }: WriterChannel): Writer {
  const ask = async (work: Work): Promise<unknown> => {
    try {
      return await send(work)
    } finally {
      resetDataVersions()
    }
  }
  return {
    writes: onFirstUse((group) =>
      onFirstUse(
        (name) =>
          (...values: unknown[]) =>
            ask({ kind: 'write', group, name, values }),
      ),
    ) as Writer['writes'],
    migrate: () => ask({ kind: 'migrate' }) as Promise<Migration[]>,
    runMaintenance: () => ask({ kind: 'run-maintenance' }) as Promise<void>,
    setLockWait: (maxMs) => ask({ kind: 'lockWait', maxMs }) as Promise<void>,
    close,
  }
}

/** An object whose properties are created when they are first read. It has no `then`, which would make it a promise. */
const onFirstUse = (create: (name: string) => unknown): object =>
  new Proxy<Record<string, unknown>>(Object.create(null), {
    get: (properties, name) =>
      typeof name === 'string' && name !== 'then' ? (properties[name] ??= create(name)) : undefined,
  })

/** The writes of a group with the signature of the port's method. */
type Direct<Port, W> = {
  [M in keyof Port & keyof W]: W[M] extends Port[M] ? M : never
}[keyof Port & keyof W]

/** Builds a port from the writes of its group, which need not be listed, and its other methods. */
export const withWrites = <Port extends object, G extends keyof Writes>(
  writes: BoundWrites<G>,
  others: Omit<Port, Direct<Port, BoundWrites<G>>> & Partial<Port>,
): Port => Object.assign(Object.create(writes), others)

interface PendingWrite {
  resolve(value: unknown): void
  reject(error: unknown): void
}

// A clone runs the .ts files, an installed package the .js ones.
const THREAD = new URL(`./thread/writer-thread${extname(import.meta.url)}`, import.meta.url)

/** The writer allocates few long-lived objects: a larger young generation would only fill up before it is collected. */
const YOUNG_GENERATION_MB = 12

/** Starts the thread. If it dies, its pending writes fail and the next write starts a new one. */
export function startWriterThread(
  file: string,
  options: WriterOptions,
  events: WriterEvents = {},
): WriterChannel {
  const waiting = new Map<number, PendingWrite>()
  let worker: Worker | undefined
  let nextId = 1
  let closed = false
  let onDamage: ((row: DamagedRow) => void) | undefined
  let onMaintenance: MaintenanceListener | undefined

  const receive = (notice: Notice): void => {
    if (notice.notice === 'damage') onDamage?.(notice.row)
    else if (notice.notice === 'maintenance') onMaintenance?.(notice.event)
    else events.onLocked?.()
  }

  const failAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  const start = (): Worker => {
    const workerData: WriterData = { file, ...options }
    const started = startThread(THREAD, { maxYoungGenerationMb: YOUNG_GENERATION_MB }, { workerData })
    started.on('message', (reply: Reply | Notice) => {
      if ('notice' in reply) return receive(reply)
      const wait = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if (reply.ok) wait?.resolve(reply.value)
      else wait?.reject(toStoreError(Object.assign(new Error(reply.message), { errcode: reply.errcode })))
    })
    started.on('error', (error) => {
      worker = undefined
      failAll(
        unavailable(
          `The store ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        ),
      )
    })
    return started
  }

  const post = (target: Worker, work: Work | { kind: 'close' }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = nextId++
      waiting.set(id, { resolve, reject })
      // A pending write keeps the process alive; an idle writer does not.
      target.ref()
      target.postMessage({ id, ...work } satisfies Request)
    })

  return {
    async send(work) {
      if (closed) throw unavailable('The store is closed.')
      return post((worker ??= start()), work)
    },
    async close() {
      if (closed) return
      closed = true
      if (worker) await post(worker, { kind: 'close' })
    },
    onDamage(listener) {
      onDamage = listener
    },
    onMaintenance(listener) {
      onMaintenance = listener
    },
  }
}
