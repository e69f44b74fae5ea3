import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../kernel/errors.ts'
import { type Image, IMAGE_TYPES } from '../../../domain/estate/image/image.ts'
import { MAX_IMAGE_BYTES } from '../../pipeline/limits.ts'
import { readMediaType } from '../../pipeline/media-type.ts'

/** Accepts image bodies only. */
export function installImageParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    [...IMAGE_TYPES],
    { parseAs: 'buffer', bodyLimit: MAX_IMAGE_BYTES },
    (_request, body, done) => done(null, body),
  )
}

export function readImage({ headers, body }: { headers: IncomingHttpHeaders; body: unknown }): Image {
  const named = readMediaType(headers)
  const type = IMAGE_TYPES.find((supported) => supported === named)
  if (!type) throw new AppError('unsupported-media-type', `Accepted media types: ${IMAGE_TYPES.join(', ')}.`)
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw new AppError('bad-request', 'The request body is empty.')
  // Copied: a small body is a view of a larger buffer, all of which would be sent to the writer.
  return { type, bytes: Uint8Array.from(body) }
}
