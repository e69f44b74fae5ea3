import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { killAtExit } from './kill-at-exit.ts'
import { databaseFor } from './backend.ts'
import { commandPath } from './command.ts'

export interface SpawnedCommand {
  /** The output so far. */
  output(): string
  kill(signal: NodeJS.Signals): void
  /** Exit code; null if a signal ended it. */
  ended: Promise<number | null>
}

/** Starts a `portico` command that a test can kill before it completes, on a store or with an environment. */
export async function spawnCommand(
  args: string[],
  where: string | Record<string, string>,
): Promise<SpawnedCommand> {
  const isLocal = typeof where === 'string'
  const env = { ...process.env, METRICS_PORT: '0', ...(isLocal ? await databaseFor(where) : where) }
  const child: ChildProcess = killAtExit(
    spawn(process.execPath, [commandPath(), ...args, ...(isLocal ? ['--data', where] : [])], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env,
    }),
  )
  let written = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk
  })
  return {
    output: () => written,
    kill: (signal) => void child.kill(signal),
    ended: once(child, 'close').then(() => child.exitCode),
  }
}
