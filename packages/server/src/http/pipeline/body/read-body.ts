import type { IncomingMessage } from 'node:http'
import { AppError } from '../../../kernel/errors.ts'
import type { MaybePromise } from '../../../kernel/maybe-promise.ts'
import { readMediaType } from '../negotiate.ts'
import { hasBody } from '../request-limits.ts'

/** How a route reads the bodies of its requests. */
export interface BodyFormat {
  /** The media types that are accepted; any, if absent. */
  types?: readonly string[]
  /** Converts the bytes of a body; without it, the handler gets the stream. */
  parse?(bytes: Buffer): unknown
  /** The largest number of bytes that is parsed. */
  limit: number
}

/** Bytes of any of these media types, unchanged. */
export const bytesBody = (limit: number, types?: readonly string[]): BodyFormat => ({
  ...(types && { types }),
  parse: (bytes) => bytes,
  limit,
})

/** A stream of any length, which the handler reads. */
export const streamedBody = (types: readonly string[]): BodyFormat => ({ types, limit: Infinity })

const tooLarge = (): AppError =>
  new AppError('payload-too-large', 'The request body is larger than the limit of this endpoint.')

/** The body of a request, or undefined if it has none. */
export function readBody(
  request: IncomingMessage,
  { types, parse, limit }: BodyFormat,
): MaybePromise<unknown> {
  const { headers } = request
  if (headers['content-type'] === undefined && !hasBody(request)) return undefined
  if (types && !types.includes(readMediaType(headers)))
    throw new AppError(
      'unsupported-media-type',
      `This endpoint accepts a body with the Content-Type ${types.join(' or ')}.`,
    )
  // Node ends the stream of such a request without an event.
  if (!hasBody(request)) return parse?.(Buffer.alloc(0))
  if (!parse) return request
  if (Number(headers['content-length']) > limit) throw tooLarge()
  return readBytes(request, limit).then(parse)
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    chunks.push(chunk)
    if (length > limit) stop(() => reject(tooLarge()))
  }
  const onEnd = (): void => stop(() => resolve(Buffer.concat(chunks, length)))
  const onError = (cause: Error): void =>
    stop(() => reject(new AppError('bad-request', 'The request body is incomplete.', { cause })))
  const stop = (settle: () => void): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError)
    settle()
  }
  request.on('data', onData).on('end', onEnd).on('error', onError)
  return promise
}
