import { AppError } from '../../../kernel/errors.ts'
import type { ReadingImport } from './reading-import.ts'
import { type Line, MAX_LINE_BYTES } from './lines.ts'
import { importJsonRecord } from './ndjson.ts'

const notAnArray = (): AppError => new AppError('bad-request', 'The body must be a JSON array of readings.')

/** Imports the elements of a JSON array one at a time: the whole array is never in memory. */
export async function importJsonArray(
  source: AsyncIterable<Uint8Array>,
  intake: ReadingImport,
): Promise<void> {
  const decoder = new TextDecoder('utf-8')
  const elements = createSplitter()
  for await (const chunk of source) {
    for (const element of elements.split(decoder.decode(chunk, { stream: true }))) {
      const later = importJsonRecord(element, intake)
      if (later) await later
    }
  }
  const end = elements.end()
  if (end) intake.refuse(end.number, { code: 'malformed', message: end.message })
}

interface Splitter {
  /** The elements that end in this chunk of text. */
  split(text: string): Line[]
  /** The error at the end of the array, if any, with the number of the element at which it occurred. */
  end(): { number: number; message: string } | undefined
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

function createSplitter(): Splitter {
  let state: 'before' | 'inside' | 'after' = 'before'
  let element = ''
  let count = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  let isTooLong = false
  let isFollowed = false

  const keep = (text: string): void => {
    if (element.length + text.length > MAX_LINE_BYTES) isTooLong = true
    else element += text
  }

  const finish = (found: Line[]): void => {
    const isEmpty = !isTooLong && element.trim() === ''
    const text = isTooLong ? undefined : element
    element = ''
    isTooLong = false
    if (isEmpty) return
    count += 1
    found.push({ number: count, text })
  }

  /** The end of the element that continues at `from`; the length of the text if it does not end in it. */
  const findEnd = (text: string, from: number): number => {
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isText = false
      } else if (code === QUOTE) isText = true
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1
      else if (depth > 0) {
        if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1
      } else if (code === COMMA || code === CLOSE_ARRAY) return index
    }
    return text.length
  }

  /** The start of the first element. */
  const findBegin = (text: string): number => {
    const bracket = text.indexOf('[')
    // `trim` also removes a byte order mark.
    if (text.slice(0, bracket < 0 ? text.length : bracket).trim() !== '') throw notAnArray()
    if (bracket >= 0) state = 'inside'
    return bracket < 0 ? text.length : bracket + 1
  }

  return {
    split(text) {
      const found: Line[] = []
      let start = state === 'before' ? findBegin(text) : 0
      while (state === 'inside' && start < text.length) {
        const end = findEnd(text, start)
        keep(text.slice(start, end))
        if (end < text.length) {
          finish(found)
          if (text.charCodeAt(end) === CLOSE_ARRAY) state = 'after'
        }
        start = end + 1
      }
      if (state === 'after') isFollowed ||= text.slice(start).trim() !== ''
      return found
    },
    end() {
      if (state === 'before') throw notAnArray()
      if (state === 'inside') return { number: count + 1, message: 'The array is not closed.' }
      return isFollowed
        ? { number: count + 1, message: 'There is text after the end of the array.' }
        : undefined
    },
  }
}
