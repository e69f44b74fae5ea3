import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** The bundled command, relative to the root. Below node_modules, where its dependencies are found. */
export const BUILT_COMMAND = 'node_modules/.cache/portico'

/**
 * Folder of the command that `npm start` runs. The bundled one starts in half the processor time; it is missing in an
 * install without development dependencies or scripts.
 */
export function findStartedCommand() {
  const built = join(ROOT, BUILT_COMMAND)
  return existsSync(join(built, 'package.json')) ? built : join(ROOT, 'packages/cli')
}
