import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getSystemErrorCode } from './system-error.ts'

/**
 * Creates a folder for secrets, if it does not exist, and a folder in it if `name` is given. A new folder can be read
 * by its owner only, and Git ignores what it contains. Returns the inner folder.
 */
export function createPrivateFolder(folder: string, name = ''): string {
  if (createFolder(folder, 0o700)) writeFileSync(join(folder, '.gitignore'), '*\n')
  const inner = join(folder, name)
  createFolder(inner, 0o700)
  return inner
}

/**
 * Creates a folder and the folders above it; returns whether it is new. `mkdirSync` with `recursive` never returns for
 * a folder in /proc, where the folder above exists and the error is ENOENT nevertheless.
 */
export function createFolder(folder: string, mode?: number): boolean {
  try {
    return createIn(folder, mode)
  } catch (error) {
    const above = dirname(folder)
    if (getSystemErrorCode(error) !== 'ENOENT' || above === folder) throw error
    createFolder(above, mode)
    return createIn(folder, mode)
  }
}

/** Creates a folder in an existing one; returns whether it is new. */
function createIn(folder: string, mode: number | undefined): boolean {
  try {
    mkdirSync(folder, mode)
    return true
  } catch (error) {
    // Some systems report an existing folder with another code than EEXIST. A link to nothing must be reported as ENOENT.
    const found = statSync(folder, { throwIfNoEntry: getSystemErrorCode(error) === 'EEXIST' })
    if (found?.isDirectory()) return false
    throw error
  }
}
