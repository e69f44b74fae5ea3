import { timingSafeEqual } from 'node:crypto'

/** Compares two byte strings in a time that does not depend on where they differ. */
export const constantEquals = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b)
