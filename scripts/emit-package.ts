import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Emits packages/cli/dist: the JavaScript of the command and of the packages it bundles, so that the published package
 * is self-contained. Node does not strip types below node_modules, and workspace names do not resolve there, so imports
 * between packages become relative paths.
 */
const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'packages/cli/dist')
const PACKAGES = ['wire', 'server', 'demo', 'cli']

rmSync(OUT, { recursive: true, force: true })
const tsc = spawnSync('tsc', ['--project', join(ROOT, 'tsconfig.emit.json'), '--outDir', OUT], {
  stdio: 'inherit',
})
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

for (const file of globSync('**/*.js', { cwd: OUT })) {
  const path = join(OUT, file)
  const text = readFileSync(path, 'utf8')
  const pointed = text.replace(
    /(['"])@portico\/(\w+)\/([^'"]+)\1/g,
    (_, quote: string, name: string, rest: string) => {
      const target = relative(dirname(path), join(OUT, name, 'src', `${rest}.js`))
      return `${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`
    },
  )
  if (pointed !== text) writeFileSync(path, pointed)
}

for (const name of PACKAGES) {
  for (const file of globSync('src/**/*.sql', { cwd: join(ROOT, 'packages', name) })) {
    cpSync(join(ROOT, 'packages', name, file), join(OUT, name, file))
  }
}
