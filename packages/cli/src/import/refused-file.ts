import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createPrivateFolder } from '@portico/server/kernel/private-folder'

interface Refusal {
  line: number
  code: string
  message: string
}

export interface RefusedFile {
  add(refusal: Refusal): void
  /** Writes the buffered lines. */
  flush(): void
  /** Writes the buffered lines. Returns the path, or undefined if no line of the file was refused, in any run. */
  close(): string | undefined
}

const FOLDER = 'refused'
const BUFFERED = 1_000

/**
 * Lists every refused line of an import in `<data>/refused`. A resumed import continues the list;
 * any other replaces the list of the previous import of the file.
 */
export function createRefusedFile(dataDir: string, file: string, isResumed: boolean): RefusedFile {
  const name = file === '-' ? 'stdin' : basename(file)
  // Files of the same name in different folders have separate lists.
  const hash = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 8)
  const path = join(dataDir, FOLDER, `${name}.${hash}.csv`)
  let buffered: string[] = []
  if (!isResumed) rmSync(path, { force: true })
  const flush = (): void => {
    if (buffered.length === 0) return
    if (!existsSync(path)) {
      createPrivateFolder(dataDir, FOLDER)
      buffered.unshift('line,code,message\n')
    }
    appendFileSync(path, buffered.join(''), { mode: 0o600 })
    buffered = []
  }
  return {
    flush,
    add({ line, code, message }) {
      buffered.push(`${line},${code},"${message.replaceAll('"', '""')}"\n`)
      if (buffered.length >= BUFFERED) flush()
    },
    close() {
      flush()
      return existsSync(path) ? path : undefined
    },
  }
}
