import { timingSafeEqual } from 'node:crypto'

/** Compares two byte strings in constant time. */
export const constantEquals = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)
