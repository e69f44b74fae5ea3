import { parse } from 'secure-json-parse'
import { AppError } from '../../../kernel/errors.ts'
import type { BodyFormat } from './read-body.ts'

/** The deepest document of this API, an inventory, has seven levels. */
const MAX_JSON_DEPTH = 32
/**
 * An empty object takes 2 bytes of text and 56 of memory: without this bound a body of 32 MiB could take more than the
 * heap. An exported inventory of 32 MiB has about 1.3 million values.
 */
const MAX_JSON_VALUES = 1_500_000

type JsonExcess = 'depth' | 'values'

const EXCESS: Record<JsonExcess, () => AppError> = {
  depth: () =>
    new AppError('bad-request', `The request body is nested more than ${MAX_JSON_DEPTH} levels deep.`),
  values: () =>
    new AppError('payload-too-large', `The request body has more than ${MAX_JSON_VALUES} values.`),
}

/** JSON of at most `limit` bytes. A body that is nested too deeply or has too many values is not parsed. */
export const jsonBody = (limit: number): BodyFormat => ({
  types: ['application/json'],
  parse: (bytes) => parseJson(bytes.toString()),
  limit,
})

function parseJson(text: string): unknown {
  if (text === '') throw new AppError('bad-request', 'The request body is empty; JSON was expected.')
  const excess = findJsonExcess(text)
  if (excess) throw EXCESS[excess]()
  try {
    return parse(text)
  } catch (cause) {
    throw new AppError('bad-request', 'The request body is not valid JSON.', { cause })
  }
}

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]
const [CLOSE_ARRAY, CLOSE_OBJECT] = [0x5d, 0x7d]

/** Which bound a JSON text exceeds, found in one pass before anything is allocated for its values. */
export function findJsonExcess(
  text: string,
  { maxDepth = MAX_JSON_DEPTH, maxValues = MAX_JSON_VALUES } = {},
): JsonExcess | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = findStringEnd(text, at + 1)
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1
      values += 1
      if (depth > maxDepth) return 'depth'
      if (values > maxValues) return 'values'
    } else if (code === COMMA) {
      values += 1
      if (values > maxValues) return 'values'
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1
    }
  }
  return undefined
}

/** Index of the closing quote, or the length of a text that has none. */
function findStringEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) break
    if (code === BACKSLASH) at += 1
  }
  return at
}
