import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { hasExited } from '../../acceptance/support/servers/child.ts'

/** The demo creates its history first. */
const UP_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 30_000

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A program that runs until it is stopped. */
export interface Child {
  pid: number
  /** SIGTERM, then SIGKILL after a time limit. */
  stop(): Promise<void>
}

/** Starts a program with its output in a file; resolves when it is up. */
export async function startChild(
  command: string,
  args: readonly string[],
  { logFile, isUp, env = {} }: { logFile: string; isUp(): Promise<boolean>; env?: Record<string, string> },
): Promise<Child> {
  const log = openSync(logFile, 'a')
  const child = spawn(command, args, {
    // Only PATH is inherited from the user's environment.
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  running.add(child)
  const ended = once(child, 'close').then(() => running.delete(child))
  const stop = async (): Promise<void> => {
    if (!hasExited(child)) child.kill('SIGTERM')
    const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await ended
    clearTimeout(giveUp)
  }
  for (const deadline = Date.now() + UP_WITHIN_MS; !(await isUp()); await delay(20)) {
    if (!hasExited(child) && Date.now() < deadline) continue
    await stop()
    throw new Error(`${command} ${args.join(' ')} did not come up:\n${readFileSync(logFile, 'utf8')}`)
  }
  return { pid: child.pid ?? 0, stop }
}
