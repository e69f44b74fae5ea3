import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import type { Bundle } from './bundle.ts'

// The package exposes its script only through a route of its plugin.
const carrier = fastify()
await carrier.register(scalar, { routePrefix: '/reference', configuration: { sources: [] } })
const { statusCode, rawPayload } = await carrier.inject('/reference/js/scalar.js')
if (statusCode !== 200)
  throw new Error(`The script of the API reference was answered with status ${statusCode}.`)

const bundle: Bundle = {
  hash: createHash('sha256').update(rawPayload).digest('base64url'),
  identity: Uint8Array.from(rawPayload),
  gzip: Uint8Array.from(gzipSync(rawPayload)),
  // A higher quality takes seconds and saves 10 %.
  br: Uint8Array.from(brotliCompressSync(rawPayload, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })),
}
parentPort?.postMessage(bundle, [bundle.identity.buffer, bundle.gzip.buffer, bundle.br.buffer])
