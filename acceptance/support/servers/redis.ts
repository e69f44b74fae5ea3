import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { killAtExit } from './child-processes.ts'
import { findFreePort } from './free-port.ts'
import { redisPath } from './test-tools.ts'

export interface Redis {
  url: string
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGSTOP: connections stay open without responses, until `thaw`. */
  freeze(): void
  thaw(): void
}

/** A Redis without persistence. */
export async function startRedis(): Promise<Redis> {
  const port = await findFreePort()
  let child: ChildProcess | undefined
  const redis: Redis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      const started = (child = killAtExit(spawn(redisPath, flags, { stdio: 'ignore' })))
      while (!(await answers(port))) {
        if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`)
        await delay(50)
      }
    },
    async kill() {
      if (!child) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      child = undefined
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
  await redis.start()
  return redis
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => resolve(false))
  return promise
}
