import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type BuildOptions, context, type Metafile } from 'esbuild'
import { FRAME_STYLE } from '../packages/server/src/http/pages/style.ts'

/**
 * Bundles the console for browsers into packages/console/dist, or the folder of --out. With --watch, it builds again
 * after each change, with source maps.
 */
const { values: flags } = parseArgs({ options: { watch: { type: 'boolean' }, out: { type: 'string' } } })
const ROOT = join(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'packages/console/src')
const OUT = flags.out ?? join(ROOT, 'packages/console/dist')
const MANIFEST = join(OUT, 'manifest.json')
const SCRIPT = join(SOURCE, 'main.tsx')
const STYLE = join(SOURCE, 'console.css')

interface PackageManifest {
  name: string
  version: string
}

const watch = flags.watch ?? false

await bundle()

async function bundle(): Promise<void> {
  const options: BuildOptions = {
    // Names of files contain hashes of their paths.
    absWorkingDir: ROOT,
    entryPoints: [SCRIPT, STYLE],
    outdir: OUT,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: !watch,
    sourcemap: watch,
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The sources of the SDK, not a build of it.
    conditions: ['portico-source'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'page-style',
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /^portico:page-style$/ }, () => ({ path: 'page-style', namespace: 'portico' }))
          onLoad({ filter: /.*/, namespace: 'portico' }, () => ({
            contents: FRAME_STYLE.text,
            loader: 'css',
          }))
        },
      },
      {
        name: 'manifest',
        setup: ({ onEnd }) => onEnd(({ metafile }) => metafile && writeManifest(metafile)),
      },
    ],
  }
  rmSync(OUT, { recursive: true, force: true })
  if (watch) await (await context(options)).watch()
  else await build(options)
}

/** Names the files that the page loads; writes a compressed copy of each file, and the licences of the libraries. */
function writeManifest({ inputs, outputs }: Metafile): void {
  const findOutput = (entry: string): [string, Metafile['outputs'][string]] => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === relative(ROOT, entry))
    if (!found) throw new Error(`esbuild wrote no bundle of ${entry}`)
    return found
  }
  const [script, { imports }] = findOutput(SCRIPT)
  const [style] = findOutput(STYLE)
  const preload = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))
  for (const file of globSync('*.{js,css}', { cwd: OUT })) {
    const bytes = readFileSync(join(OUT, file))
    const params = { [constants.BROTLI_PARAM_QUALITY]: watch ? 4 : 11 }
    writeFileSync(join(OUT, `${file}.br`), brotliCompressSync(bytes, { params }))
  }
  writeFileSync(join(OUT, 'LICENSES.txt'), findLicenses(inputs))
  const manifest = { script: basename(script), style: basename(style), preload }
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The licence texts of the libraries that are part of the bundle. */
function findLicenses(inputs: Metafile['inputs']): string {
  const libraries = Object.keys(inputs).flatMap(
    (file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  )
  return [...new Set(libraries)]
    .toSorted()
    .map((folder) => {
      const { name, version } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      ) as PackageManifest
      return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8')}`
    })
    .join('\n\n')
}
