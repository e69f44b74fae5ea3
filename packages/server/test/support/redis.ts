import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** A Redis that ends with the test. `node scripts/install-test-tools.ts` installs it. */
export async function startRedis(test: TestContext): Promise<string> {
  const port = await findFreePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', flags, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  test.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  while (!(await answers(port))) {
    if (hasEnded(child)) throw new Error('redis-server does not start')
    await delay(20)
  }
  return `redis://127.0.0.1:${port}`
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => resolve(false))
  return promise
}
