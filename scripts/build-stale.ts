import { execFileSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs the builds whose output is missing or older than its sources. One program checks all of them, because each start
 * of Node delays `npm start`.
 */
const ROOT = join(import.meta.dirname, '..')

const BUILDS = [
  {
    script: 'scripts/build-console.ts',
    output: 'packages/console/dist/manifest.json',
    sources: ['packages/{console,sdk}/src/**/*.{ts,tsx,css}', 'packages/server/src/http/pages/style.ts'],
  },
  {
    script: 'scripts/pack-sdk.ts',
    output: 'clients/typescript/portico-sdk.tgz',
    sources: [
      'packages/sdk/{src,bin}/**/*.{ts,js}',
      'packages/sdk/{package.json,README.md,tsconfig.emit.json}',
      '{tsconfig.json,LICENSE,scripts/emit-sdk.ts}',
    ],
  },
]

const readMtime = (file: string): number => statSync(join(ROOT, file)).mtimeMs

for (const { script, output, sources } of BUILDS) {
  const files = globSync([...sources, script, 'package-lock.json'], { cwd: ROOT })
  const isFresh =
    existsSync(join(ROOT, output)) && files.every((file) => readMtime(file) <= readMtime(output))
  if (!isFresh) execFileSync(process.execPath, [join(ROOT, script)], { stdio: 'inherit' })
}
