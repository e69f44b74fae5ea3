import { type ChildProcess, spawn } from 'node:child_process'
import { stopChild, untilListening } from './child.ts'
import { findFreePort } from './free-port.ts'
import { killAtExit } from './kill-at-exit.ts'
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
      child = killAtExit(spawn(redisPath, flags, { stdio: 'ignore' }))
      await untilListening(port, child)
    },
    kill: () => stopChild(child, 'SIGKILL'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  }
  await redis.start()
  return redis
}
