import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { LogRecord } from './disk-log.ts'

/** The fate of unsynced changes in a power cut. */
export interface Survival {
  write(): boolean
  /** Created, removed and renamed directory entries. */
  names(): boolean
  /** How many bytes of a write reach the disk. */
  length(whole: number): number
}

export const nothingUnsynced: Survival = { write: () => false, names: () => false, length: (whole) => whole }

interface FileState {
  /** State that is certain to be on the disk. */
  synced: Buffer
  pending: { record: LogRecord; index: number }[]
}

type Names = Map<string, FileState>

interface PendingName {
  folder: string
  index: number
  apply(names: Names): void
}

/** Files before the first record, by path. */
export async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)))
}

/** The files that a power cut after these records would leave. */
export function afterPowerCut(
  base: Map<string, Buffer>,
  records: readonly LogRecord[],
  survival: Survival,
): Map<string, Buffer> {
  const disk: Names = new Map([...base].map(([path, synced]) => [path, { synced, pending: [] }]))
  const live: Names = new Map(disk)
  const names: PendingName[] = []
  const begun = new Map<bigint, number>()
  for (const [index, record] of records.entries()) {
    const { kind, path, number } = record
    if (kind === 'sync-begin') begun.set(number, index)
    else if (kind === 'sync-end') sync(path, begun.get(number) ?? -1, { disk, live, names })
    else if (kind === 'write' || kind === 'truncate') fileAt(live, path).pending.push({ record, index })
    else rename(record, index, { live, names })
  }
  if (survival.names()) for (const { apply } of names) apply(disk)
  const left = new Map<string, Buffer>()
  for (const [path, file] of disk) {
    const written = file.pending.filter(() => survival.write()).map(({ record }) => record)
    left.set(path, apply(file.synced, written, survival))
  }
  return left
}

export async function writeFolder(files: Map<string, Buffer>, from: string, folder: string): Promise<void> {
  for (const [path, bytes] of files) {
    const target = join(folder, relative(from, path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes, { mode: 0o600 })
  }
}

interface State {
  disk: Names
  live: Names
  names: PendingName[]
}

/** Syncing a file makes its content and its name durable; syncing a folder makes the names in it durable. */
function sync(path: string, begun: number, { disk, live, names }: State): void {
  const isBefore = ({ index }: { index: number }): boolean => index < begun
  for (const pending of names.filter((one) => one.folder === path && isBefore(one))) {
    pending.apply(disk)
    names.splice(names.indexOf(pending), 1)
  }
  const file = live.get(path)
  if (!file) return
  const covered = file.pending.filter(isBefore).map(({ record }) => record)
  file.synced = apply(file.synced, covered, nothingUnsynced)
  file.pending = file.pending.filter((one) => !isBefore(one))
  disk.set(path, file)
}

function rename(record: LogRecord, index: number, { live, names }: Pick<State, 'live' | 'names'>): void {
  const { kind, path } = record
  const change = ((): ((names: Names) => void) => {
    if (kind === 'unlink') return (known) => known.delete(path)
    if (kind === 'create') {
      const file: FileState = { synced: Buffer.alloc(0), pending: [] }
      return (known) => known.set(path, file)
    }
    const file = fileAt(live, path)
    return (known) => {
      known.delete(path)
      known.set(record.bytes.toString(), file)
    }
  })()
  change(live)
  names.push({ folder: dirname(path), index, apply: change })
}

function fileAt(names: Names, path: string): FileState {
  const known = names.get(path)
  if (known) return known
  const file: FileState = { synced: Buffer.alloc(0), pending: [] }
  names.set(path, file)
  return file
}

function apply(content: Buffer, records: readonly LogRecord[], survival: Survival): Buffer {
  const ends = records.map(({ number, bytes }) => Number(number) + bytes.length)
  // Copied, because other images start from the same synced bytes.
  const result = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(result)
  let length = content.length
  for (const { kind, number, bytes } of records) {
    const at = Number(number)
    if (kind === 'truncate') {
      result.fill(0, Math.min(at, length), length)
      length = at
    } else {
      const written = survival.length(bytes.length)
      bytes.copy(result, at, 0, written)
      length = Math.max(length, at + written)
    }
  }
  return result.subarray(0, length)
}
