import { AppError } from '../errors.ts'
import type { Intake } from './intake.ts'
import { MAX_LINE_BYTES } from './lines.ts'
import { takeJson } from './ndjson.ts'

const notAnArray = (): AppError => new AppError('bad-request', 'The body must be a JSON array of readings.')

/** The elements of one JSON array, each as its own text: the array as a whole is never in memory. */
export async function takeJsonArray(source: AsyncIterable<Uint8Array>, intake: Intake): Promise<void> {
  const decoder = new TextDecoder('utf-8')
  const array: { state: 'before' | 'inside' | 'after' } = { state: 'before' }
  let element = ''
  let count = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  let isTooLong = false

  const end = async (): Promise<void> => {
    if (element.trim() === '' && !isTooLong) return
    count += 1
    const text = isTooLong ? undefined : element
    element = ''
    isTooLong = false
    await takeJson({ number: count, text }, intake)
  }

  const read = async (char: string): Promise<void> => {
    if (array.state === 'before') {
      if (char === '[') array.state = 'inside'
      else if (char.trim() !== '' && char !== '\uFEFF') throw notAnArray()
      return
    }
    if (array.state === 'after') {
      if (char.trim() !== '')
        intake.refuse(count + 1, { code: 'malformed', message: 'Something follows the array.' })
      return
    }
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (char === '\\') isEscaped = true
      else if (char === '"') isText = false
    } else if (char === '"') isText = true
    else if (char === '{' || char === '[') depth += 1
    else if (depth > 0 && (char === '}' || char === ']')) depth -= 1
    else if (depth === 0 && (char === ',' || char === ']')) {
      await end()
      if (char === ']') array.state = 'after'
      return
    }
    if (element.length < MAX_LINE_BYTES) element += char
    else isTooLong = true
  }

  for await (const chunk of source) {
    for (const char of decoder.decode(chunk, { stream: true })) await read(char)
  }
  if (array.state === 'before') throw notAnArray()
  if (array.state === 'inside')
    intake.refuse(count + 1, { code: 'malformed', message: 'The array does not end.' })
}
