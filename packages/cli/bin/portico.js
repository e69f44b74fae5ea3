#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node new enough for the rest.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 26

/**
 * By default V8 lets up to 64 MB of short-lived objects accumulate before it collects them. A server needs no more than
 * 16, and the memory that one request can take is then bounded.
 */
const SERVER_FLAGS = ['--max-semi-space-size=8']

const source = new URL('../src/main.ts', import.meta.url)
const emitted = new URL('../dist/cli/src/main.js', import.meta.url)

const program = fileURLToPath(import.meta.url)
const flags = process.argv[2] === 'serve' && !hasSemiSpaceSize() ? SERVER_FLAGS : []

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // V8 reads these flags only when it starts. Windows cannot replace a process by another.
  if (flags.length > 0 && process.platform !== 'win32') {
    const args = [process.argv0, ...process.execArgv, ...flags, program, ...process.argv.slice(2)]
    process.execve(process.execPath, args, process.env)
  }
  // What was compiled once is not compiled at the next start. Beside the program: nobody else can write there.
  const { enableCompileCache } = await import('node:module')
  const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  enableCompileCache(compiled)
  // Threads and processes that are started from here know it by this alone.
  process.env.NODE_COMPILE_CACHE = compiled
  const { main } = await import((existsSync(source) ? source : emitted).href)
  process.exitCode = await main(process.argv.slice(2))
} else {
  const pinned = pinnedNode()
  if (pinned === undefined) {
    process.stderr.write(`portico: needs Node ${NEEDED_MAJOR} or newer, this is ${process.versions.node}\n`)
    process.exit(1)
  }
  const child = spawn(pinned, [...flags, program, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
}

/** Whether whoever started this has chosen the size. */
function hasSemiSpaceSize() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? '']
  return given.some((text) => text.replaceAll('_', '-').includes('--max-semi-space-size'))
}

/** The Node that `npm ci` brings into a clone, one npm package for each platform. */
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
