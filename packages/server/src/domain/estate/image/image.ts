import { startsAsSvg } from './svg.ts'

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp'] as const

export type ImageType = (typeof IMAGE_TYPES)[number]

export interface Image {
  type: ImageType
  bytes: Uint8Array
}

const startsWith = (bytes: Uint8Array, start: Uint8Array, at = 0): boolean =>
  start.every((value, index) => bytes[at + index] === value)

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

const PNG = ascii('\x89PNG\r\n\x1a\n')
const JPEG = ascii('\xff\xd8\xff')

const isSvg = (bytes: Uint8Array): boolean => {
  try {
    return startsAsSvg(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return false
  }
}

/** The image type according to the bytes themselves; undefined if it is not supported. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, PNG)) return 'image/png'
  if (startsWith(bytes, JPEG)) return 'image/jpeg'
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'image/webp'
  return isSvg(bytes) ? 'image/svg+xml' : undefined
}
