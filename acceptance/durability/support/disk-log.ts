/** One change of a file, or the start or end of a sync, as recorded by disk.c. */
export interface LogRecord {
  kind: 'write' | 'truncate' | 'create' | 'unlink' | 'rename' | 'sync-begin' | 'sync-end'
  path: string
  /** An offset, a length, or the number of the sync. */
  number: bigint
  /** The bytes written, or the new name. */
  bytes: Buffer
  /** Offset of the record's end in the log. */
  end: number
}

const kinds: Record<string, LogRecord['kind']> = {
  w: 'write',
  t: 'truncate',
  c: 'create',
  u: 'unlink',
  r: 'rename',
  b: 'sync-begin',
  e: 'sync-end',
}
const headLength = 25

export function readLog(log: Buffer): LogRecord[] {
  const records: LogRecord[] = []
  for (let at = 0; at + headLength <= log.length; ) {
    const kind = kinds[String.fromCharCode(log[at] ?? 0)]
    if (!kind) throw new Error(`the log makes no sense at ${at}`)
    const number = log.readBigUInt64LE(at + 1)
    const [pathLength, length] = [Number(log.readBigUInt64LE(at + 9)), Number(log.readBigUInt64LE(at + 17))]
    const pathEnd = at + headLength + pathLength
    const path = log.toString('utf8', at + headLength, pathEnd)
    const end = pathEnd + length
    records.push({ kind, path, number, bytes: log.subarray(pathEnd, end), end })
    at = end
  }
  return records
}
