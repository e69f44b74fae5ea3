import { availableParallelism } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { BACKENDS, filesFor } from './backends.ts'
import { longestFirst } from './longest-first.ts'
import { dropAllDatabases, hasClosedDays } from './support/servers/backend.ts'
import { eventually } from './support/eventually.ts'
import { readMetrics } from './support/clients/metrics.ts'
import { packageCommand } from './support/servers/command.ts'
import { prepareOperatorDir } from './support/servers/operator-dir.ts'
import { recordPorts } from './support/servers/free-port.ts'
import { makeTempDir, removeDataDir, startPortico } from './support/servers/portico.ts'
import { startSharedDemo } from './support/servers/shared-demo.ts'

/**
 * Runs the suite. Common preconditions are created once: the package under test; the demo's history, which demo
 * servers copy (makeDemoDir); a store with an operator (makeOperatorDir); a server shared by several files (shareDemo).
 * Arguments name test files; without any, all files of the backend run. `--backend postgres` needs TEST_DATABASE_URL,
 * `--backend citus` TEST_CITUS_URL: see scripts/with-postgres.ts and scripts/with-citus.ts. `--soak` runs the overload
 * tests at full length.
 */
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string', default: 'sqlite' }, soak: { type: 'boolean', default: false } },
})
const backend = BACKENDS.find((name) => name === values.backend)
if (!backend) throw new Error(`--backend is one of ${BACKENDS.join(', ')}`)
process.env['ACCEPTANCE_BACKEND'] = backend
process.env['ACCEPTANCE_RUN'] = String(process.pid)
if (values.soak) process.env['ACCEPTANCE_SOAK'] = 'on'

/** Each test file is a process that loads much the same modules. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/acceptance-compiled', import.meta.url))

const FILE_TIMEOUT_MS = values.soak ? 3_600_000 : 1_800_000

const removePorts = recordPorts()
const removeCommand = packageCommand()
const demoDir = await makeDemo()
process.env['ACCEPTANCE_DEMO_DIR'] = demoDir
const operatorDir = await prepareOperatorDir()
const shared = await startSharedDemo()
const stream = run({
  files: files.length > 0 ? files : longestFirst(filesFor(backend)),
  // Tests spend much of their time waiting for a server: with one file per core, the cores would be idle half of the
  // time.
  concurrency: 3 * availableParallelism(),
  // A failed test can leave a server or a timer behind; its file must still end.
  execArgv: ['--test-force-exit'],
  timeout: FILE_TIMEOUT_MS,
  env: { ...process.env, ...shared.env, NODE_COMPILE_CACHE: COMPILED },
})
stream.on('test:fail', ({ todo }) => {
  if (todo === undefined) process.exitCode = 1
})
await pipeline(stream.compose(new spec()), process.stdout, { end: false })
await shared.stop()
await Promise.all([demoDir, operatorDir].map(removeDataDir))
await dropAllDatabases()
removeCommand()
removePorts()
process.exit()

async function makeDemo(): Promise<string> {
  const folder = await makeTempDir()
  const portico = await startPortico({ dataDir: folder })
  // Otherwise each copy would repeat this work.
  await eventually(async () => {
    if (!(await hasClosedDays(folder))) throw new Error('the days of the demo are not closed yet')
    const metrics = await readMetrics(portico)
    if (!/^portico_rollup_queue_entries 0$/m.test(metrics))
      throw new Error('the demo is still being rolled up')
  }, 600_000)
  await portico.stop()
  return folder
}
