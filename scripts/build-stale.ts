import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_COMMAND } from './started-command.js'

/**
 * Runs the builds whose output is missing or older than its sources; with arguments, only the builds of that name. One
 * program checks all of them, because each start of Node delays `npm start`.
 */
const ROOT = join(import.meta.dirname, '..')

interface Build {
  name: string
  script: string
  args?: string[]
  /** The file that the script writes last. */
  output: string
  /** Files, and folders with everything below them. */
  sources: string[]
  /** Printed if it cannot run, because development dependencies are not installed. */
  notBuilt?: string
}

const BUILDS: readonly Build[] = [
  {
    name: 'console',
    script: 'scripts/build-console.ts',
    output: 'packages/console/dist/manifest.json',
    sources: [
      ...['src', 'package.json'].map((path) => `packages/console/${path}`),
      'packages/sdk/src',
      'packages/server/src/http/pages/style.ts',
    ],
    notBuilt: 'The console was not built',
  },
  {
    name: 'sdk',
    script: 'scripts/pack-sdk.ts',
    output: 'clients/typescript/portico-sdk.tgz',
    sources: ['packages/sdk', 'tsconfig.json', 'LICENSE', 'scripts/emit-sdk.ts'],
    notBuilt: 'The SDK was not packed',
  },
  {
    name: 'command',
    script: 'scripts/emit-package.ts',
    args: [BUILT_COMMAND],
    output: join(BUILT_COMMAND, 'package.json'),
    sources: [
      ...['bin', 'src', 'package.json', 'README.md'].map((path) => `packages/cli/${path}`),
      ...['demo', 'server', 'wire'].flatMap((name) => [
        `packages/${name}/src`,
        `packages/${name}/package.json`,
      ]),
      'packages/console/dist',
      'clients',
      'docs/api',
      'CHANGELOG.md',
      'LICENSE',
    ],
  },
]

const lastChange = (path: string): number => {
  const own = statSync(join(ROOT, path), { throwIfNoEntry: false })
  if (!own) return Infinity
  if (!own.isDirectory()) return own.mtimeMs
  const files = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
  return Math.max(...files.map((file) => statSync(join(ROOT, path, file)).mtimeMs))
}

const isFresh = ({ script, output, sources }: Build): boolean =>
  existsSync(join(ROOT, output)) &&
  [script, ...sources].every((path) => lastChange(path) <= lastChange(output))

const canBuild = existsSync(join(ROOT, 'node_modules/esbuild'))
const names = process.argv.slice(2)
for (const one of BUILDS) {
  if ((names.length > 0 && !names.includes(one.name)) || isFresh(one)) continue
  const { name, script, args = [], notBuilt } = one
  if (canBuild) execFileSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: 'inherit' })
  else if (notBuilt !== undefined)
    console.log(`${notBuilt}, because that needs development dependencies: npm ci, without --omit=dev.`)
  // `npm start` then runs the source.
  if (!canBuild && name === 'command') rmSync(join(ROOT, BUILT_COMMAND), { recursive: true, force: true })
}
