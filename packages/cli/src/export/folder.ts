import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '@portico/server/kernel/private-folder'
import type { ExportFormat } from '@portico/server/operator/export-choices'
import { OperatorError } from '@portico/server/operator/operator'
import { checkEnd } from './check-end.ts'

/** A file of an export. */
export interface ExportFile {
  name: string
  /** Everything that determines the content, such as the range and the metrics. */
  request: Readonly<Record<string, string>>
  /** Whether the content is final: the month is over. */
  isFinal: boolean
}

/** The folder of a site, which lists its files with the requests that they contain. */
export interface ExportFolder {
  /** Whether the file was exported completely, by the same request. Throws if it was by another one. */
  has(file: ExportFile): boolean
  /** Writes a file under another name, and renames it once it is complete. Returns its size. */
  write(
    file: ExportFile,
    format: ExportFormat,
    bytes: AsyncIterable<Uint8Array>,
    onProgress: (size: number) => void,
  ): Promise<number>
  path(file: ExportFile): string
}

const LIST = 'export.json'

type Listed = Record<string, { request: Record<string, string>; isFinal: boolean }>

export function openExportFolder(out: string, siteUuid: string): ExportFolder {
  const folder = join(out, `site=${siteUuid}`)
  const list = join(folder, LIST)
  createFolder(folder)
  const listed = readList(list)
  const path = ({ name }: ExportFile): string => join(folder, name)

  const save = (): void => {
    writeFileSync(`${list}.part`, `${JSON.stringify(listed, undefined, 2)}\n`)
    renameSync(`${list}.part`, list)
  }

  return {
    path,
    has(file) {
      const known = listed[file.name]
      if (!known || !existsSync(path(file))) return false
      if (!isSameSubject(known.request, file.request))
        throw new OperatorError(
          `${path(file)} is from another export (${describe(known.request)}); use another folder with --out`,
        )
      return known.isFinal && covers(known.request, file.request)
    },
    async write(file, format, bytes, onProgress) {
      const part = `${path(file)}.part`
      try {
        const size = await writeAll(part, bytes, onProgress)
        await checkEnd(part, format)
        renameSync(part, path(file))
        listed[file.name] = { request: { ...file.request }, isFinal: file.isFinal }
        save()
        return size
      } catch (error) {
        rmSync(part, { force: true })
        throw toWriteError(error, path(file))
      }
    },
  }
}

function readList(list: string): Listed {
  if (!existsSync(list)) return {}
  try {
    return JSON.parse(readFileSync(list, 'utf8')) as Listed
  } catch (error) {
    throw new OperatorError(`${list} is damaged; delete it to export the files of its folder again`, {
      cause: error,
    })
  }
}

/** Ranges may differ: a longer one replaces the file. */
const isSameSubject = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  describe({ ...a, from: '', to: '' }) === describe({ ...b, from: '', to: '' })

/** Dates in ISO 8601 are ordered like their texts. */
const covers = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  (a['from'] ?? '') <= (b['from'] ?? '') && (a['to'] ?? '') >= (b['to'] ?? '')

const describe = (request: Readonly<Record<string, string>>): string =>
  Object.entries(request)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

async function writeAll(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (size: number) => void,
): Promise<number> {
  await using handle = await open(file, 'w')
  let size = 0
  for await (const chunk of bytes) {
    await handle.writeFile(chunk)
    size += chunk.length
    onProgress(size)
  }
  // After a power cut, a file with the final name must have its complete content.
  await handle.sync()
  if (statSync(file).size !== size) throw new OperatorError(`${file} was changed while it was written`)
  return size
}

/** The error of a write does not contain the name of the file. */
function toWriteError(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || (code !== 'ENOSPC' && code !== 'EDQUOT')) return error
  return new OperatorError(
    `the disk is full: ${path} was not written; free some space and run the same command again to continue`,
    { cause: error },
  )
}
