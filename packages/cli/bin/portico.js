#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node new enough for the rest.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 26

const source = new URL('../src/main.ts', import.meta.url)
const emitted = new URL('../dist/cli/src/main.js', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
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
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code))
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
