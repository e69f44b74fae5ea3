import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * Emits the SDK as users install it: minified JavaScript, and declarations with comments. Without an argument,
 * emits packages/sdk/dist; with a folder, the whole package into that folder.
 */
const ROOT = join(import.meta.dirname, '..')
const SDK = join(ROOT, 'packages/sdk')
const FOLDER = resolve(process.argv[2] ?? SDK)
const OUT = join(FOLDER, 'dist')

rmSync(OUT, { recursive: true, force: true })
await build({
  entryPoints: ['index.ts', 'operator.ts', 'cli.ts'].map((file) => join(SDK, 'src', file)),
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  // What Node 20 and the browsers of its time have.
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  logLevel: 'warning',
})
execFileSync(
  join(ROOT, 'node_modules/.bin/tsc'),
  ['-p', join(SDK, 'tsconfig.emit.json'), '--outDir', OUT, '--rootDir', join(SDK, 'src')],
  { stdio: 'inherit' },
)
for (const file of globSync('**/*.d.ts', { cwd: OUT })) {
  const path = join(OUT, file)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'"),
  )
}
cpSync(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'))
if (FOLDER !== SDK)
  for (const part of ['bin', 'package.json', 'README.md'])
    cpSync(join(SDK, part), join(FOLDER, part), { recursive: true })
