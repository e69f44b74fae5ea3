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
