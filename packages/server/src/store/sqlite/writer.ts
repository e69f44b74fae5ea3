import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../errors.ts'
import type { Migration } from '../store.ts'
import { toAppFailure } from './failure.ts'
import type { WriteArguments, WriteName, WriteResult } from './writes.ts'

export type Request =
  | { id: number; kind: 'write'; name: WriteName; values: unknown[] }
  | { id: number; kind: 'migrate' }
  | { id: number; kind: 'settle' }
  | { id: number; kind: 'close' }

export type Reply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; message: string; errcode: number | undefined }

export interface WriterOptions {
  /** Whether it packs and rolls up when it has nothing else to do. */
  keepsHouse: boolean
  /** How long readings are kept; for ever when undefined. */
  rawRetentionMs: number | undefined
}

export interface WriterData extends WriterOptions {
  file: string
}

/** The main thread's end of the writer: a promise per write, settled after the commit. */
export interface Writer {
  run<N extends WriteName>(name: N, ...values: WriteArguments<N>): Promise<WriteResult<N>>
  migrate(): Promise<Migration[]>
  settle(): Promise<void>
  close(): Promise<void>
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
export function startWriter(file: string, options: WriterOptions): Writer {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let nextId = 1
  let closed = false

  const failAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  const start = (): Worker => {
    const started = new Worker(THREAD, {
      workerData: { file, ...options } satisfies WriterData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    started.on('message', (reply: Reply) => {
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

  const send = (request: Request): Promise<unknown> => {
    if (closed && request.kind !== 'close') return Promise.reject(unavailable('The store is closed.'))
    worker ??= start()
    const target = worker
    return new Promise((resolve, reject) => {
      waiting.set(request.id, { resolve, reject })
      // A write under way keeps the process alive; an idle writer does not.
      target.ref()
      target.postMessage(request)
    })
  }

  return {
    run<N extends WriteName>(name: N, ...values: WriteArguments<N>) {
      return send({ id: nextId++, kind: 'write', name, values }) as Promise<WriteResult<N>>
    },
    migrate: () => send({ id: nextId++, kind: 'migrate' }) as Promise<Migration[]>,
    settle: () => send({ id: nextId++, kind: 'settle' }) as Promise<void>,
    async close() {
      if (closed) return
      closed = true
      if (worker) await send({ id: nextId++, kind: 'close' })
    },
  }
}
