import { AppError } from '../errors.ts'
import type { Intake } from './intake.ts'
import { type Line, MAX_LINE_BYTES } from './lines.ts'
import { takeJson } from './ndjson.ts'

const notAnArray = (): AppError => new AppError('bad-request', 'The body must be a JSON array of readings.')

/** The elements of one JSON array, each as its own text: the array as a whole is never in memory. */
export async function takeJsonArray(source: AsyncIterable<Uint8Array>, intake: Intake): Promise<void> {
  const decoder = new TextDecoder('utf-8')
  const elements = createSplitter()
  for await (const chunk of source) {
    for (const element of elements.split(decoder.decode(chunk, { stream: true }))) {
      const later = takeJson(element, intake)
      if (later) await later
    }
  }
  const end = elements.end()
  if (end) intake.refuse(end.number, { code: 'malformed', message: end.message })
}

interface Splitter {
  /** The elements that end in this piece of text. */
  split(text: string): Line[]
  /** What is wrong with how it ended, at the number of the element it would have been. */
  end(): { number: number; message: string } | undefined
}

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

  const finish = (): Line[] => {
    const isEmpty = !isTooLong && element.trim() === ''
    const text = isTooLong ? undefined : element
    element = ''
    isTooLong = false
    if (isEmpty) return []
    count += 1
    return [{ number: count, text }]
  }

  /** Whether a character inside the array ends an element. */
  const isEnd = (char: string): boolean => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (char === '\\') isEscaped = true
      else if (char === '"') isText = false
      return false
    }
    if (char === '"') isText = true
    else if (char === '{' || char === '[') depth += 1
    else if (depth > 0 && (char === '}' || char === ']')) depth -= 1
    else return depth === 0 && (char === ',' || char === ']')
    return false
  }

  return {
    split(text) {
      const found: Line[] = []
      let start = 0
      for (let index = 0; index < text.length; index += 1) {
        const char = text[index] ?? ''
        if (state === 'inside') {
          if (!isEnd(char)) continue
          keep(text.slice(start, index))
          start = index + 1
          found.push(...finish())
          if (char === ']') state = 'after'
        } else if (state === 'after') isFollowed ||= char.trim() !== ''
        else if (char === '[') {
          state = 'inside'
          start = index + 1
        } else if (char.trim() !== '' && char !== '\uFEFF') throw notAnArray()
      }
      if (state === 'inside') keep(text.slice(start))
      return found
    },
    end() {
      if (state === 'before') throw notAnArray()
      if (state === 'inside') return { number: count + 1, message: 'The array does not end.' }
      return isFollowed ? { number: count + 1, message: 'Something follows the array.' } : undefined
    },
  }
}
