import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isListening } from '../../acceptance/support/servers/child.ts'
import { findFreePort } from '../../acceptance/support/servers/free-port.ts'
import { type Child, startChild } from './child.ts'

/** Debian's path, which is not on every user's PATH. */
const PROGRAM = '/usr/sbin/mosquitto'

export const hasMosquitto = (): boolean => existsSync(PROGRAM)

export interface Mosquitto {
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** A Mosquitto with anonymous access, not started yet. */
export async function makeMosquitto(folder: string): Promise<Mosquitto> {
  const port = await findFreePort()
  const config = join(folder, 'mosquitto.conf')
  writeFileSync(
    config,
    [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'max_queued_messages 0', ''].join('\n'),
  )
  let child: Child | undefined
  return {
    url: `mqtt://127.0.0.1:${port}`,
    async start() {
      child = await startChild(PROGRAM, ['-c', config], {
        logFile: join(folder, 'mosquitto.log'),
        isUp: () => isListening(port),
      })
    },
    async stop() {
      await child?.stop()
      child = undefined
    },
  }
}
