import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { makeTempDir, startPortico } from './support/portico.ts'

/**
 * Runs the suite, as many files at once as there are cores: much of a test is waiting for a server. The demo's history is
 * made once; every server of the suite that wants a demo starts on a copy of it (see startPortico). Arguments name test
 * files; without any, all of them.
 */
const folder = await makeTempDir()
const portico = await startPortico({ dataDir: folder })
await portico.stop()
const files = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...(files.length > 0 ? files : ['acceptance/**/*.test.ts']),
  ],
  { stdio: 'inherit', env: { ...process.env, PORTICO_DEMO_STORE: folder } },
)
await rm(folder, { recursive: true, force: true })
process.exit(status ?? 1)
