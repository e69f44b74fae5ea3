/** Installs the tools that the tests need and npm cannot install; without the rights to do so, prints instructions. */
import { spawnSync } from 'node:child_process'
import {
  installCommand,
  isContinuousIntegration,
  missingText,
  testTools,
} from '../acceptance/support/servers/test-tools.ts'

const missing = Object.values(testTools).filter((tool) => !tool.isThere())

if (missing.length > 0 && process.getuid?.() === 0 && hasAptGet()) {
  console.log(`Bringing ${missing.map((tool) => tool.what).join(', ')}: ${installCommand(missing)}`)
  const update = aptGet(['update'])
  const packages = missing.flatMap((tool) => tool.aptPackages)
  const install = aptGet(['install', '-y', '--no-install-recommends', ...packages])
  if (install.status !== 0) console.error(update.output + install.output)
}

const stillMissing = missing.filter((tool) => !tool.isThere())
for (const tool of stillMissing) console.error(missingText(tool))
if (stillMissing.length > 0 && isContinuousIntegration) process.exit(1)

function hasAptGet(): boolean {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
}

function aptGet(args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('apt-get', args, {
    encoding: 'utf8',
    // RUNLEVEL=1 keeps Debian from starting the services of a package: the tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, output: `${stdout}${stderr}` }
}
