import type { FastifyReply } from 'fastify'
import { notFound } from '../../errors.ts'
import type { Image } from '../../image/image.ts'

/** The stored bytes. An SVG is a document: opened by itself it may run nothing and load nothing. */
export function sendImage(reply: FastifyReply, image: Image | undefined, what: string): Buffer {
  if (!image) throw notFound(what)
  reply.headers({
    'content-type': image.type,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
  return Buffer.from(image.bytes)
}
