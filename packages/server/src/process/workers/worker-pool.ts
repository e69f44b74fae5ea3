import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { backoffMs } from '../../kernel/retry.ts'
import { withTimeout } from '../../kernel/concurrency.ts'
import type { PrimaryApi, WorkerApi, WorkerOptions } from './ipc-api.ts'
import { createIpc, type IpcConnection } from '../../kernel/ipc.ts'

/** A worker that has run for this long did not fail at startup. */
const STABLE_AFTER_MS = 10_000
/** Timeout of calls to a worker: one that hangs must not delay the others. */
const ANSWER_WITHIN_MS = 5_000

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url))

export interface WorkerPool {
  /** Resolves when all workers listen. */
  start(): Promise<void>
  /** Calls all running workers; those that have ended or do not respond have no result. */
  callAll<T>(call: (worker: IpcConnection<WorkerApi>, number: number) => Promise<T>): Promise<T[]>
  /** Resolves when all workers have ended. */
  stop(): Promise<void>
}

interface Member {
  worker: Worker
  link: IpcConnection<WorkerApi>
  ended: Promise<void>
}

/** Runs a fixed number of workers and replaces those that end. */
export function createWorkerPool(deps: {
  size: number
  createOptions(number: number): WorkerOptions
  /** Calls that a worker may make. */
  callsFor(number: number): PrimaryApi
  onEnd(number: number): void
  log: Log
}): WorkerPool {
  const { size, createOptions, callsFor, onEnd, log } = deps
  const numbers = Array.from({ length: size }, (_, index) => index + 1)
  const members = new Map<number, Member>()
  const stopping = new AbortController()

  cluster.setupPrimary({ exec: PROGRAM, args: [], serialization: 'advanced' })
  // Where the kernel cannot distribute connections: round-robin spreads long-lived connections evenly.
  cluster.schedulingPolicy = cluster.SCHED_RR

  const untilItEnds = async (
    number: number,
    worker: Worker,
    link: IpcConnection<WorkerApi>,
  ): Promise<void> => {
    const how = await once(worker, 'exit').then(
      ([code, signal]: unknown[]) => ({ code, signal }),
      (err: unknown) => ({ err }),
    )
    members.delete(number)
    link.end(new Error(`Worker ${number} has ended.`))
    onEnd(number)
    if (!stopping.signal.aborted)
      log.error({ worker: number, ...how }, 'a worker has ended; starting another')
  }

  const fork = (number: number): Member => {
    const worker = cluster.fork()
    const link = createIpc<WorkerApi>(
      {
        send: (messages) => void worker.send(messages, () => {}),
        onMessage: (listener) => void worker.on('message', listener),
      },
      callsFor(number),
    )
    const ended = untilItEnds(number, worker, link)
    const member = { worker, link, ended }
    members.set(number, member)
    return member
  }

  /** Resolves when the worker listens. */
  const startOne = async (number: number): Promise<Member> => {
    const member = fork(number)
    try {
      await member.link.call('start', createOptions(number))
      return member
    } catch (error) {
      member.worker.process.kill('SIGKILL')
      await member.ended
      throw error
    }
  }

  /** Replaces a worker that has ended, as often as necessary. */
  const replaceOnExit = async (number: number, { ended }: Pick<Member, 'ended'>): Promise<void> => {
    let failures = 0
    for (let current = ended; ; ) {
      const since = systemClock.now()
      await current
      failures = systemClock.now() - since < STABLE_AFTER_MS ? failures + 1 : 1
      await delay(backoffMs(failures), undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      current = startOne(number).then(
        (member) => member.ended,
        (err: unknown) => log.error({ err, worker: number }, 'a worker cannot start'),
      )
    }
  }

  const stop = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(
      [...members.values()].map(async ({ link, worker, ended }) => {
        await link.call('stop').then(
          () => worker.process.disconnect(),
          () => worker.process.kill('SIGKILL'),
        )
        await ended
      }),
    )
  }

  return {
    async start() {
      const starting = numbers.map(async (number) => ({ number, member: await startOne(number) }))
      try {
        for (const { number, member } of await Promise.all(starting)) void replaceOnExit(number, member)
      } catch (error) {
        await stop()
        throw error
      }
    },

    async callAll(call) {
      const answers = await Promise.allSettled(
        [...members].map(([number, { link }]) => withTimeout(ANSWER_WITHIN_MS, call(link, number))),
      )
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },

    stop,
  }
}
