import { type ChildProcess, spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stopChild, untilListening } from './child.ts'
import { findFreePort } from './free-port.ts'
import { killAtExit } from './kill-at-exit.ts'
import { makeTempDir } from './portico.ts'
import { mosquittoPath } from './test-tools.ts'

export interface Mosquitto {
  url: string
  port: number
  /** Folder of the files `passwords` and `acl`, if started with accounts. */
  folder: string
  start(): Promise<void>
  stop(): Promise<void>
  /** SIGKILL, and deletes its persistent state: sessions, queued and retained messages. */
  wipe(): Promise<void>
  /** Reloads the password and ACL files. */
  reload(): void
  remove(): Promise<void>
}

/** A Mosquitto with persistent sessions. It allows anonymous access unless `hasAccounts` is set. */
export async function startMosquitto({ hasAccounts = false } = {}): Promise<Mosquitto> {
  const folder = await makeTempDir()
  const port = await findFreePort()
  const lines = [
    `listener ${port} 127.0.0.1`,
    'user root',
    'persistence true',
    `persistence_location ${folder}/`,
    'autosave_interval 1',
    'autosave_on_changes true',
    ...(hasAccounts
      ? ['allow_anonymous false', `password_file ${folder}/passwords`, `acl_file ${folder}/acl`]
      : ['allow_anonymous true']),
  ]
  await writeFile(join(folder, 'mosquitto.conf'), `${lines.join('\n')}\n`)
  if (hasAccounts)
    for (const name of ['passwords', 'acl']) await writeFile(join(folder, name), '', { mode: 0o600 })
  let child: ChildProcess | undefined

  const mosquitto: Mosquitto = {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    folder,
    async start() {
      const started = killAtExit(
        spawn(mosquittoPath, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'pipe' }),
      )
      child = started
      let written = ''
      started.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        written += chunk
      })
      await untilListening(port, started, () => written)
    },
    stop: () => stopChild(child, 'SIGTERM'),
    async wipe() {
      await stopChild(child, 'SIGKILL')
      await rm(join(folder, 'mosquitto.db'), { force: true })
    },
    reload: () => void child?.kill('SIGHUP'),
    async remove() {
      await mosquitto.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await mosquitto.start()
  return mosquitto
}
