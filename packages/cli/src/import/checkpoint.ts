import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createPrivateFolder } from '@portico/server/kernel/private-folder'

const FOLDER = 'imports'

/** Progress of the import of a file, stored in the data folder until the import is complete. */
export interface Checkpoint {
  /** The line up to which an earlier run has stored all readings. */
  line: number
  /** How much of the file had been read by then. */
  bytes: number
  save(line: number, bytes: number): void
  done(): void
}

/** Bound to path, size and modification time: another file with the same name starts from the beginning. */
export function openCheckpoint(dataDir: string, file: string): Checkpoint {
  const { size, mtimeMs } = statSync(file)
  const name = createHash('sha256')
    .update(`${resolve(file)}\0${size}\0${mtimeMs}`)
    .digest('hex')
    .slice(0, 32)
  const path = join(dataDir, FOLDER, `${name}.json`)
  const stored = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { line: number; bytes?: number })
    : { line: 0 }
  return {
    line: stored.line,
    bytes: stored.bytes ?? 0,
    save(line, bytes) {
      createPrivateFolder(dataDir, FOLDER)
      writeFileSync(`${path}.new`, JSON.stringify({ file: resolve(file), line, bytes }))
      renameSync(`${path}.new`, path)
    },
    done: () => rmSync(path, { force: true }),
  }
}
