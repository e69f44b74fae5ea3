import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
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

const HEADER = 'line,code,message\n'
const LINE_END = 0x0a

/**
 * Lists every refused line of an import in `<data>/refused`. A resumed import, which skips lines, continues the list;
 * any other replaces the list of the previous import of the file.
 */
export function createRefusedFile(dataDir: string, file: string, skipLines: number): RefusedFile {
  const name = file === '-' ? 'stdin' : basename(file)
  // Files of the same name in different folders have separate lists.
  const hash = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 8)
  const path = join(dataDir, FOLDER, `${name}.${hash}.csv`)
  let buffered: string[] = []
  if (skipLines === 0) rmSync(path, { force: true })
  else if (existsSync(path)) removeLinesAfter(path, skipLines)
  const flush = (): void => {
    if (buffered.length === 0) return
    if (!existsSync(path)) {
      createPrivateFolder(dataDir, FOLDER)
      buffered.unshift(HEADER)
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

/** Removes the lines that are read again: the first run was ahead of its checkpoint. Lines are in ascending order. */
function removeLinesAfter(path: string, line: number): void {
  const bytes = readFileSync(path)
  // The last line is incomplete if the first run was killed while it wrote it.
  let end = bytes.lastIndexOf(LINE_END) + 1
  while (end > HEADER.length) {
    const start = bytes.lastIndexOf(LINE_END, end - 2) + 1
    if (Number.parseInt(bytes.toString('latin1', start, end), 10) <= line) break
    end = start
  }
  if (end <= HEADER.length) rmSync(path)
  else truncateSync(path, end)
}
