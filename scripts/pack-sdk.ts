import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Packs the SDK into clients/typescript/portico-sdk.tgz, which the server offers. The same sources give the same bytes,
 * so that lock files of partners stay valid.
 */
const ROOT = join(import.meta.dirname, '..')
const TARBALL = join(ROOT, 'clients/typescript/portico-sdk.tgz')

mkdirSync(dirname(TARBALL), { recursive: true })
// In the same folder, so that renaming replaces the tarball atomically.
const folder = mkdtempSync(`${TARBALL}-`)
try {
  const emitted = join(folder, 'package')
  mkdirSync(emitted)
  execFileSync(process.execPath, [join(ROOT, 'scripts/emit-sdk.ts'), emitted], { stdio: 'inherit' })
  runNpm(['pack', '--ignore-scripts', '--silent'], emitted)
  const name = readdirSync(emitted).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm packed nothing')
  renameSync(join(emitted, name), TARBALL)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs npm without the options of an npm that runs this program, such as the workspace that it packs. */
function runNpm(args: readonly string[], cwd: string): void {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))
  const { npm_execpath: npm } = process.env
  // On Windows, `npm` is a script that only a shell runs; npm itself passes the path of its program.
  if (npm === undefined) execFileSync('npm', args, { cwd, env })
  else execFileSync(process.execPath, [npm, ...args], { cwd, env })
}
