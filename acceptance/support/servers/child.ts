import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

/** Sends a signal to a child process that is running, and waits for its end. */
export async function stopChild(
  child: ChildProcess | undefined,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
  if (!child || hasExited(child)) return
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

/** Waits until a child process listens on a port of 127.0.0.1; throws with its output if it exits first. */
export async function untilListening(
  port: number,
  child: ChildProcess,
  readOutput = (): string => '',
): Promise<void> {
  while (!(await isListening(port))) {
    if (hasExited(child)) {
      const status = child.exitCode ?? child.signalCode
      throw new Error(`${child.spawnfile} exited with ${status}: ${readOutput()}`)
    }
    await delay(50)
  }
}

export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => resolve(false))
  return promise
}
