import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** A clone has these files in its root, the published package in `dist`. */
const ROOT = new URL(extname(import.meta.url) === '.ts' ? '../../../../' : '../../../', import.meta.url)

/** The text of a repository file that is also part of the published package. */
export const readRepositoryFile = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

/** The bytes of such a file, or undefined if it has not been built. */
export function findRepositoryFile(path: string): Buffer | undefined {
  const url = new URL(path, ROOT)
  return existsSync(url) ? readFileSync(url) : undefined
}
