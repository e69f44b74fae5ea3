import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** This file is the only source of identifiers and random values. */
export const newUuid = (): string => randomUUID()

/** A UUID of version 7: those of later milliseconds sort after earlier ones, so an index of them grows at its end. */
export function newOrderedUuid(ms: number): string {
  const random = randomUUID()
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

/**
 * 256 bits, base64url: 43 characters that need no escaping in a form, a URL or a header. Not with a leading dash, which a
 * command line would take for an option.
 */
export function newSecretValue(): string {
  const value = randomBytes(32).toString('base64url')
  return value.startsWith('-') ? newSecretValue() : value
}

/** From 0 to 1, for jitter. */
export const randomShare = (): number => randomInt(1_000_001) / 1_000_000

export const newSalt = (bytes: number): Uint8Array => randomBytes(bytes)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text)

/** A UUID in 22 characters that need no escaping in a URL. */
export const packUuid = (uuid: string): string =>
  Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

export const unpackUuid = (packed: string): string =>
  Buffer.from(packed, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
