import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Creates a folder for secrets, if it does not exist, and a folder in it if `name` is given. A new folder can be read
 * by its owner only, and Git ignores what it contains. Returns the inner folder.
 */
export function createPrivateFolder(folder: string, name = ''): string {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
    writeFileSync(join(folder, '.gitignore'), '*\n')
  const inner = join(folder, name)
  mkdirSync(inner, { recursive: true, mode: 0o700 })
  return inner
}
