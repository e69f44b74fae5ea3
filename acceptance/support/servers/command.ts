import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const variable = 'ACCEPTANCE_COMMAND'

/** Path of the `portico` command to test: in a run the packaged one, otherwise the one that runs from source. */
export const commandPath = (): string => process.env[variable] ?? `${ROOT}packages/cli/bin/portico.js`

/** Builds the package, so that this run and its processes test what users install. Returns how to remove it. */
export function packageCommand(): () => void {
  // Below node_modules, where the dependencies of the package are found.
  const cache = `${ROOT}node_modules/.cache`
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}/acceptance-command-`)
  execFileSync(process.execPath, [`${ROOT}scripts/emit-package.ts`, folder], { stdio: 'inherit' })
  process.env[variable] = `${folder}/bin/portico.js`
  return () => rmSync(folder, { recursive: true, force: true })
}
