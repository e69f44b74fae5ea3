import { createHash } from 'node:crypto'
import type { TransferRow, Value } from '../../store/transfer.ts'

/** A checksum over rows in order, with an unambiguous encoding of each row. */
export interface Digest {
  add(rows: readonly TransferRow[]): void
  /** Hexadecimal; nothing can be added afterwards. */
  end(): string
}

export function createDigest(): Digest {
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

export function digestRows(rows: readonly TransferRow[]): string {
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
