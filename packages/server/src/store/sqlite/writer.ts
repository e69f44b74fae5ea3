import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../errors.ts'
import type { MaintenanceEvent, MaintenanceListener } from '../maintenance.ts'
import type { DamagedRow, Migration } from '../store.ts'
import { forgetFileVersions } from './connect.ts'
import { toAppFailure } from './failure.ts'
import type { WriteArguments, WriteName, WriteResult } from './writes.ts'

export type Work =
  | { kind: 'write'; name: WriteName; values: unknown[] }
  | { kind: 'migrate' }
  | { kind: 'settle' }
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
  /** Whether it packs and rolls up when it has nothing else to do. */
  keepsHouse: boolean
  /** How long readings are kept; for ever when undefined. */
  rawRetentionMs: number | undefined
}

export interface WriterEvents {
  /** Called when the writer has to wait for the write lock. */
  onLocked?: (() => void) | undefined
}

export interface WriterData extends WriterOptions {
  file: string
}

/** The way to the one writer, in a thread of this process or beyond another process. */
export interface WayToWriter {
  /** Settled after the commit. */
  send(work: Work): Promise<unknown>
  close(): Promise<void>
  /** Registers a listener for damaged rows that the writer finds. Absent for a writer in another process, which reports them there. */
  onDamage?(listener: (row: DamagedRow) => void): void
  /** Registers a listener for background maintenance. Absent for a writer in another process, which reports it there. */
  onMaintenance?(listener: MaintenanceListener): void
}

/** What the stores of things write with: a promise per write, settled after the commit. */
export interface Writer {
  run<N extends WriteName>(name: N, ...values: WriteArguments<N>): Promise<WriteResult<N>>
  migrate(): Promise<Migration[]>
  settle(): Promise<void>
  /** Sets how long later writes wait for the write lock while another process holds it. */
  setLockWait(maxMs: number): Promise<void>
  close(): Promise<void>
}

/** The names and arguments of writes are checked here; the writer itself takes them as they come. */
export function createWriter({ send, close }: WayToWriter): Writer {
  const ask = async (work: Work): Promise<unknown> => {
    try {
      return await send(work)
    } finally {
      forgetFileVersions()
    }
  }
  return {
    run: <N extends WriteName>(name: N, ...values: WriteArguments<N>) =>
      ask({ kind: 'write', name, values }) as Promise<WriteResult<N>>,
    migrate: () => ask({ kind: 'migrate' }) as Promise<Migration[]>,
    settle: () => ask({ kind: 'settle' }) as Promise<void>,
    setLockWait: (maxMs) => ask({ kind: 'lockWait', maxMs }) as Promise<void>,
    close,
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

// A clone runs the .ts files, an installed package the .js ones.
const THREAD = new URL(`./writer-thread${extname(import.meta.url)}`, import.meta.url)

/** It makes little that lasts: a larger one would only fill before it is swept. */
const YOUNG_GENERATION_MB = 12

/** Starts the thread; a thread that dies fails what it was doing and the next write starts another. */
export function startWriterThread(
  file: string,
  options: WriterOptions,
  events: WriterEvents = {},
): WayToWriter {
  const waiting = new Map<number, Waiting>()
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
    const started = new Worker(THREAD, {
      workerData: { file, ...options } satisfies WriterData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    started.on('message', (reply: Reply | Notice) => {
      if ('notice' in reply) return receive(reply)
      const wait = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if (reply.ok) wait?.resolve(reply.value)
      else wait?.reject(toAppFailure(Object.assign(new Error(reply.message), { errcode: reply.errcode })))
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
      // A write under way keeps the process alive; an idle writer does not.
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
