#!/usr/bin/env node
// Plain JavaScript that any Node version can parse: it finds a Node that is new enough for the rest.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 26

/**
 * By default, V8 lets up to 64 MB of short-lived objects accumulate before it collects them, and the heap of a small
 * process double or triple before it collects the rest. A server needs far less, and the memory that one request can
 * take is then bounded.
 */
const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=25']

const source = new URL('../src/main.ts', import.meta.url)
const emitted = new URL('../dist/cli/src/main.js', import.meta.url)

const program = fileURLToPath(import.meta.url)
const flags = process.argv[2] === 'serve' && !hasSemiSpaceSize() ? SERVER_FLAGS : []

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // V8 reads these flags only at startup. On Windows, a process cannot replace itself with another.
  if (flags.length > 0 && process.platform !== 'win32') {
    const args = [process.argv0, ...process.execArgv, ...flags, program, ...process.argv.slice(2)]
    process.execve(process.execPath, args, process.env)
  }
  // Started by this program on an older Node: ends with it, even if it is killed.
  if (process.env.PORTICO_LAUNCHER !== undefined) {
    delete process.env.PORTICO_LAUNCHER
    process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel?.unref()
  }
  // Caches compiled code for the next start, beside the program, where other users cannot write.
  const { enableCompileCache } = await import('node:module')
  const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  enableCompileCache(compiled)
  // Passes the cache on to worker threads and child processes.
  process.env.NODE_COMPILE_CACHE = compiled
  const { main } = await import((existsSync(source) ? source : emitted).href)
  process.exitCode = await main(process.argv.slice(2))
} else {
  const pinned = pinnedNode()
  if (pinned === undefined) {
    process.stderr.write(
      `portico: needs Node ${NEEDED_MAJOR} or newer, this is ${process.versions.node}; install Node ${NEEDED_MAJOR}, ` +
        'or install Portico again with its optional dependencies: npm install --include=optional\n',
    )
    process.exit(1)
  }
  const child = spawn(pinned, [...flags, program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PORTICO_LAUNCHER: 'on' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

/** Whether the semi-space size is already set by the caller. */
function hasSemiSpaceSize() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? '']
  return given.some((text) => text.replaceAll('_', '-').includes('--max-semi-space-size'))
}

/** The Node that `npm ci` installs in a clone, as one npm package per platform. */
function pinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `${prefix}-${platform}-${process.arch}/package.json`,
    )
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}
