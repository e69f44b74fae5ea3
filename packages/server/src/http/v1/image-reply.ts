import { notFound } from '../../kernel/errors.ts'
import type { Image } from '../../domain/estate/image/image.ts'
import type { Reply } from '../pipeline/reply.ts'

/**
 * Responds with the stored bytes. The policy prevents an SVG that is opened directly from running scripts or loading
 * anything.
 */
export function imageReply(image: Image | undefined, name: string): Reply {
  if (!image) throw notFound(name)
  return {
    status: 200,
    type: image.type,
    headers: ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
    body: Buffer.from(image.bytes),
  }
}
