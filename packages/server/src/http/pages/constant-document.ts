import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseCoding, type Coding } from '../negotiate.ts'

/** A document that does not change while the process runs: responses share one copy of its bytes for each coding. */
export interface ConstantDocument {
  /** Hash of the plain text; safe in a URL. */
  hash: string
  load(coding: Coding): Uint8Array | Promise<Uint8Array>
}

const compressors = { gzip: promisify(gzip), br: promisify(brotliCompress) }

/** A JSON document that is built when it is first requested, and compressed when a coding is first requested. */
export function createJsonDocument(build: () => object): () => ConstantDocument {
  let document: ConstantDocument | undefined
  return () => {
    document ??= toConstantDocument(Buffer.from(JSON.stringify(build())))
    return document
  }
}

function toConstantDocument(plain: Buffer): ConstantDocument {
  const compressed = new Map<Coding, Promise<Buffer>>()
  return {
    hash: createHash('sha256').update(plain).digest('base64url'),
    load(coding) {
      if (coding === 'identity') return plain
      let bytes = compressed.get(coding)
      if (!bytes) compressed.set(coding, (bytes = compressors[coding](plain)))
      return bytes
    },
  }
}

/** Sends the document in the coding that the client prefers, or 304. */
export async function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  { hash, load }: ConstantDocument,
): Promise<FastifyReply> {
  const coding = chooseCoding(request.headers['accept-encoding'], false) ?? 'identity'
  const etag = `"${hash}-${coding}"`
  reply.headers({ vary: 'accept-encoding', etag })
  if (request.headers['if-none-match'] === etag) return reply.code(304).removeHeader('content-type').send()
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(await load(coding))
}
