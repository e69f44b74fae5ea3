import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Compiles the modules that `npm start` loads, so that the first start is as fast as later ones. The code goes to the
 * cache of packages/cli/bin/portico.js, which is separate for each set of V8 flags.
 */
const ROOT = join(import.meta.dirname, '..')
const PACKAGES = join(ROOT, 'packages')
const WRITER = ['writes.ts', 'maintenance.ts'].map((module) => `server/src/store/sqlite/thread/${module}`)

/** The modules of the server, and those of the process that generates the demo's history. */
const PROGRAMS: Record<string, string[]> = {
  server: [
    'cli/src/main.ts',
    'cli/src/commands/serve.ts',
    'server/src/process/serve.ts',
    'demo/src/start.ts',
    'server/src/mqtt/brokers/embedded.ts',
    'demo/src/demo.ts',
    'demo/src/simulator/simulator.ts',
    ...WRITER,
  ],
  history: [
    'demo/src/history/store-history.ts',
    'server/src/domain/estate/inventory/site-directory.ts',
    'server/src/kernel/ipc.ts',
    'server/src/store/open.ts',
    ...WRITER,
  ],
}

const [program] = process.argv.slice(2)
if (program === undefined) {
  // Not at the top: the modules that the other branch compiles must not be loaded before.
  const { HISTORY_FLAGS } = await import('../packages/demo/src/history/process.ts')
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const flags = scripts.start.match(/--[\w-]+=\d+/g) ?? []
  for (const [name, nodeFlags] of Object.entries({ server: flags, history: HISTORY_FLAGS }))
    spawnSync(process.execPath, [...nodeFlags, import.meta.filename, name], { stdio: 'inherit' })
} else {
  enableCompileCache(join(PACKAGES, 'cli/node_modules/.cache/compiled'))
  for (const module of PROGRAMS[program] ?? []) await import(join(PACKAGES, module))
  flushCompileCache()
}
