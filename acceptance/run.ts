import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { BACKENDS, filesFor } from './backends.ts'
import { dropAllDatabases } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { readMetrics } from './support/metrics.ts'
import { makeTempDir, removeDataDir, startPortico } from './support/portico.ts'

/**
 * Runs the suite, as many files at once as there are cores: much of a test is waiting for a server. The demo's history is
 * made once; every server of the suite that wants a demo starts on a copy of it (see makeDemoDir). Arguments name test
 * files; without any, all of those for the backend. `--backend postgres` needs TEST_DATABASE_URL,
 * `--backend citus` TEST_CITUS_URL: see scripts/with-postgres.ts and scripts/with-citus.ts. `--soak` runs the overload tests at full
 * length.
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

const FILE_TIMEOUT_MS = values.soak ? 3_600_000 : 600_000

const folder = await makeTempDir()
const portico = await startPortico({ dataDir: folder })
// Otherwise each copy would do the same work again.
await eventually(async () => {
  const metrics = await readMetrics(portico)
  if (!/^portico_days_to_roll_up 0$/m.test(metrics)) throw new Error('the demo is still being rolled up')
}, 600_000)
await portico.stop()
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    // A failed test can leave a server or a timer behind; its file must end all the same.
    '--test-force-exit',
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    ...(files.length > 0 ? files : filesFor(backend)),
  ],
  { stdio: 'inherit', env: { ...process.env, PORTICO_DEMO_STORE: folder } },
)
await removeDataDir(folder)
await dropAllDatabases()
process.exit(status ?? 1)
