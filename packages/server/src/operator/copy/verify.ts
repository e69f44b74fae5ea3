import { createHash } from 'node:crypto'
import type { RowKey, TransferStore, TransferTable, TransferRow, Value } from '../../store/transfer.ts'
import { getRowKey, listScopes } from './read-pages.ts'

export interface VerifiedTable {
  table: string
  rows: number
  /** SHA-256 over the source's rows in key order; equal to the target's if there is no difference. */
  checksum: string
  difference?: Difference
}

/** The first difference between source and target. */
interface Difference {
  /** The rows differ after this key (from the beginning if null), up to and including the other. */
  after: RowKey | null
  upTo: RowKey | null
  sourceRows: number
  targetRows: number
}

/** Reads a table from both stores and compares it page by page. */
export async function verifyTable(
  source: TransferStore,
  target: TransferStore,
  table: TransferTable,
  onShare: (share: number) => void,
): Promise<VerifiedTable> {
  const digest = createDigest()
  let count = 0
  const verified = (difference?: Difference): VerifiedTable => ({
    table: table.name,
    rows: count,
    checksum: digest.end(),
    ...(difference && { difference }),
  })
  const scopes = await listScopes(source, table)
  for (const [at, scope] of scopes.entries()) {
    onShare(at / scopes.length)
    for (let last: RowKey | undefined; ; ) {
      const [ours, theirs] = await Promise.all([
        source.read(table, scope, last, table.page),
        target.read(table, scope, last, table.page),
      ])
      digest.add(ours)
      count += ours.length
      const end = ours.at(-1)
      if (digestRows(ours) !== digestRows(theirs)) {
        const until = end ?? theirs.at(-1)
        return verified({
          after: last ? [...scope, ...last] : scope.length > 0 ? scope : null,
          upTo: until ? getRowKey(table, until) : null,
          sourceRows: ours.length,
          targetRows: theirs.length,
        })
      }
      if (!end || ours.length < table.page) break
      last = getRowKey(table, end).slice(scope.length)
    }
  }
  return verified()
}

/** A checksum over rows in order, with an unambiguous encoding of each row. */
interface Digest {
  add(rows: readonly TransferRow[]): void
  /** Hexadecimal; nothing can be added afterwards. */
  end(): string
}

function createDigest(): Digest {
  const hash = createHash('sha256')
  return {
    add(rows) {
      for (const row of rows) {
        hash.update(`${row.length};`)
        for (const value of row) {
          const bytes = toBytes(value)
          hash.update(`${toTypeName(value)}${bytes.length}:`).update(bytes)
        }
      }
    },
    end: () => hash.digest('hex'),
  }
}

function digestRows(rows: readonly TransferRow[]): string {
  const digest = createDigest()
  digest.add(rows)
  return digest.end()
}

const toTypeName = (value: Value): string =>
  value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : typeof value

function toBytes(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value
  // Bit-exact: 0 and -0 are different readings.
  if (typeof value === 'number') return new Uint8Array(new Float64Array([value]).buffer)
  return Buffer.from(String(value ?? ''))
}
