import { createHash } from 'node:crypto'
import { byteAt } from '@portico/server/kernel/at'

/** A deterministic UUID of a name, in the form of version 5. */
export function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(`portico-demo:${name}`).digest().subarray(0, 16)
  bytes[6] = (byteAt(bytes, 6) & 0x0f) | 0x50
  bytes[8] = (byteAt(bytes, 8) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** A device's UUID, derived from its site, its room and its role there. */
export const toDeviceUuid = (site: string, room: string, role: string): string =>
  nameUuid(`${site}/device/${room}/${role}`)
