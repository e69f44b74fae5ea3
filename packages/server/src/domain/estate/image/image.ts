export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp'] as const

type ImageType = (typeof IMAGE_TYPES)[number]

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

const SPACE = /\s*/y
const DECLARATION = /<\?xml[^>]*\?>/iy
/** A doctype with an internal subset is not accepted: it can define entities that expand without bound in a viewer. */
const DOCTYPE = /<!DOCTYPE\s+svg[^>[]*>/iy
const ROOT = /<svg[\s>/]/iy

const COMMENT_START = '<!--'
const COMMENT_END = '-->'

/**
 * Whether a text starts like an SVG document: an optional XML declaration, any number of comments and doctypes, then
 * the root element. Each token is matched once, where the previous one ended, so the time is linear in the length; a
 * single regular expression for the whole prologue would backtrack over every way to divide it into comments.
 */
export function startsAsSvg(text: string): boolean {
  let at = text.startsWith('\uFEFF') ? 1 : 0

  const skip = (token: RegExp): boolean => {
    token.lastIndex = at
    const isFound = token.test(text)
    if (isFound) at = token.lastIndex
    return isFound
  }
  const skipComment = (): boolean => {
    if (!text.startsWith(COMMENT_START, at)) return false
    const end = text.indexOf(COMMENT_END, at + COMMENT_START.length)
    if (end < 0) return false
    at = end + COMMENT_END.length
    return true
  }

  skip(SPACE)
  if (skip(DECLARATION)) skip(SPACE)
  while (skipComment() || skip(DOCTYPE)) skip(SPACE)
  return skip(ROOT)
}
