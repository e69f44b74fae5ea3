import { at } from '../../../kernel/at.ts'

/** The longest line that is accepted; a longer one is rejected and skipped. */
export const MAX_LINE_BYTES = 64 * 1024

export interface Line {
  number: number
  /** Undefined for a line that is too long. */
  text: string | undefined
}

/** The lines of a stream of any size, in constant memory: those of one chunk at a time. */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let number = 0
  let isTooLong = false
  for await (const chunk of source) {
    // Only the new chunk is searched for line ends: searching `rest` again would take quadratic time for a line that
    // arrives in single-byte chunks.
    const parts = decoder.decode(chunk, { stream: true }).split('\n')
    parts[0] = rest + at(parts, 0)
    rest = parts.pop() ?? ''
    const lines: Line[] = []
    for (const part of parts) {
      number += 1
      lines.push({ number, text: isTooLong || part.length > MAX_LINE_BYTES ? undefined : stripEnd(part) })
      isTooLong = false
    }
    yield lines
    if (rest.length > MAX_LINE_BYTES) {
      isTooLong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (rest !== '' || isTooLong) yield [{ number: number + 1, text: isTooLong ? undefined : stripEnd(rest) }]
}

const stripEnd = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text)
