/**
 * Installs the tools that the tests need and `npm ci` does not install; without the rights to do so, prints
 * instructions.
 */
import { spawnSync } from 'node:child_process'
import {
  installCommand,
  isContinuousIntegration,
  missingText,
  type TestTool,
  testTools,
} from '../acceptance/support/servers/test-tools.ts'

const all: TestTool[] = Object.values(testTools)
const missing = all.filter((tool) => !tool.isThere())

for (const { npmFolder } of missing) if (npmFolder !== undefined) npmCi(npmFolder)

const fromDebian = missing.filter((tool) => tool.aptPackages.length > 0)
if (fromDebian.length > 0 && process.getuid?.() === 0 && hasAptGet()) {
  console.log(`Bringing ${fromDebian.map((tool) => tool.what).join(', ')}: ${installCommand(fromDebian)}`)
  const update = aptGet(['update'])
  const packages = fromDebian.flatMap((tool) => tool.aptPackages)
  const install = aptGet(['install', '-y', '--no-install-recommends', ...packages])
  if (install.status !== 0) console.error(update.output + install.output)
}

const stillMissing = missing.filter((tool) => !tool.isThere())
for (const tool of stillMissing) console.error(missingText(tool))
if (stillMissing.length > 0 && isContinuousIntegration) process.exit(1)

function npmCi(folder: string): void {
  const { status, stderr } = spawnSync('npm', ['ci', '--prefix', folder], { encoding: 'utf8' })
  if (status !== 0) console.error(stderr)
}

function hasAptGet(): boolean {
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
}

function aptGet(args: readonly string[]): { status: number | null; output: string } {
  // Waits for another apt-get, such as that of automatic updates.
  const { status, stdout, stderr } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    encoding: 'utf8',
    // RUNLEVEL=1 keeps Debian from starting the services of a package: the tests start their own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, output: `${stdout}${stderr}` }
}
