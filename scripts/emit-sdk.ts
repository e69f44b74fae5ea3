import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'

/**
 * Emits the SDK as users install it: minified JavaScript, and declarations with comments. Without an argument,
 * emits packages/sdk/dist; with a folder, the whole package into that folder.
 */
const ROOT = join(import.meta.dirname, '..')
const SDK = join(ROOT, 'packages/sdk')
const FOLDER = resolve(process.argv[2] ?? SDK)
const OUT = join(FOLDER, 'dist')

rmSync(OUT, { recursive: true, force: true })
const OPTIONS = {
  // Names of chunks contain hashes of paths, relative to this folder.
  absWorkingDir: ROOT,
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  // Supported by Node 20 and the browsers of its time.
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  logLevel: 'warning',
} as const satisfies BuildOptions
const toPath = (file: string): string => join(SDK, 'src', file)
await build({ ...OPTIONS, entryPoints: ['index.ts', 'operator.ts'].map(toPath) })
// The commands import the published entry; as a third entry point, they would split it into more chunks.
const usePublished: Plugin = {
  name: 'published-entry',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/index\.ts$/ }, () => ({ path: './index.js', external: true })),
}
await build({
  ...OPTIONS,
  entryPoints: [toPath('cli.ts')],
  plugins: [usePublished],
  external: ['node:*'],
})
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
execFileSync(
  process.execPath,
  [tsc, '-p', join(SDK, 'tsconfig.emit.json'), '--outDir', OUT, '--rootDir', join(SDK, 'src')],
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
