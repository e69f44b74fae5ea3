import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import { type Image, IMAGE_TYPES } from '../../../image/image.ts'
import { MAX_IMAGE_BYTES } from '../../limits.ts'

/** Inside a scope that has called this, a body is the bytes of an image and nothing else. */
export function takeImages(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [...IMAGE_TYPES],
    { parseAs: 'buffer', bodyLimit: MAX_IMAGE_BYTES },
    (_request, body, done) => done(null, body),
  )
}

export function imageOf({ headers, body }: FastifyRequest): Image {
  const named = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const type = IMAGE_TYPES.find((known) => known === named)
  if (!type) throw new AppError('unsupported-media-type', `This address takes ${IMAGE_TYPES.join(', ')}.`)
  if (!Buffer.isBuffer(body) || body.length === 0) throw new AppError('bad-request', 'The body is empty.')
  // A copy: a small body is a view of a larger buffer, all of which would travel to the writer.
  return { type, bytes: Uint8Array.from(body) }
}
