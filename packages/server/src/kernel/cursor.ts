import { createHmac } from 'node:crypto'
import { constantEquals } from './constant-equals.ts'

/**
 * Opaque, signed page cursors. The position is bound to a `scope` (partner, list and filters): a cursor used with
 * another list, partner or filter does not verify.
 */
export interface Cursors {
  encode(scope: string, position: string): string
  /** Undefined if the cursor was not created by this installation for this scope. */
  decode(scope: string, cursor: string): string | undefined
}

const TAG_BYTES = 16

export function signedCursors(key: () => Uint8Array): Cursors {
  const tag = (scope: string, position: Uint8Array): Buffer =>
    createHmac('sha256', key()).update(scope).update('\0').update(position).digest().subarray(0, TAG_BYTES)

  return {
    encode(scope, position) {
      const bytes = Buffer.from(position, 'utf8')
      return Buffer.concat([tag(scope, bytes), bytes]).toString('base64url')
    },
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      // Buffer ignores characters outside base64url; only the canonical form is accepted.
      if (bytes.byteLength <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const position = bytes.subarray(TAG_BYTES)
      return constantEquals(bytes.subarray(0, TAG_BYTES), tag(scope, position))
        ? position.toString('utf8')
        : undefined
    },
  }
}
