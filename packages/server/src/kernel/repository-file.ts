import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** A clone has these files in its root, the published package in `dist`. */
const ROOT = new URL(extname(import.meta.url) === '.ts' ? '../../../../' : '../../../', import.meta.url)

/** The text of a file of the repository that is part of the published package. */
export const readRepositoryFile = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
