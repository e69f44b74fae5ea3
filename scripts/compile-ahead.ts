import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { findStartedCommand } from './started-command.js'

/**
 * Compiles the modules that `npm start` loads, so that the first start is as fast as later ones. The code goes to the
 * cache of packages/cli/bin/portico.js, which is separate for each set of V8 flags.
 */
const ROOT = join(import.meta.dirname, '..')
const COMMAND = findStartedCommand()
const IS_SOURCE = COMMAND === join(ROOT, 'packages/cli')
const FOLDER = IS_SOURCE ? join(ROOT, 'packages') : join(COMMAND, 'dist')

const WRITER = IS_SOURCE
  ? 'server/src/store/sqlite/thread/{writes,maintenance}.ts'
  : 'server/src/store/sqlite/thread/writer-thread.js'

/** The files of the server, and of the process that generates the demo's history. */
const PROGRAMS: Record<string, string[]> = {
  server: IS_SOURCE
    ? [
        'cli/src/{main,commands/serve}.ts',
        'server/src/{process/serve,mqtt/brokers/embedded}.ts',
        'demo/src/{start,demo,simulator/simulator}.ts',
        WRITER,
      ]
    : [
        'cli/src/main.js',
        // Chunks that are loaded when they are needed; esbuild adds a hash to their names.
        '{serve,embedded,start,demo,simulator}-*.js',
        'server/src/process/threads/ingest-thread.js',
        WRITER,
      ],
  history: IS_SOURCE
    ? [
        'demo/src/history/store-history.ts',
        'server/src/{domain/estate/inventory/site-directory,kernel/ipc,store/open}.ts',
        WRITER,
      ]
    : ['demo/src/history/program.js', WRITER],
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
  enableCompileCache(join(COMMAND, 'node_modules/.cache/compiled'))
  // The bundled programs of threads refuse to run here, but are compiled before they are executed.
  for (const file of globSync(PROGRAMS[program] ?? [], { cwd: FOLDER }))
    await import(join(FOLDER, file)).catch(() => {})
  flushCompileCache()
  process.exit()
}
