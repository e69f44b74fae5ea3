import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { chooseCoding, type Coding } from '../pipeline/negotiate.ts'
import type { HeaderList, Reply } from '../pipeline/reply.ts'
import { HTML_TYPE, PAGE_HEADERS, type RenderedPage } from './layout.ts'
import type { PageCall } from '../pipeline/route.ts'
import type { Services } from '../services.ts'

/** A document that does not change while the process runs: responses share one copy of its bytes for each coding. */
export interface ConstantDocument {
  /** Hash of the uncompressed text; URL-safe. */
  hash: string
  load(coding: Coding): Uint8Array | Promise<Uint8Array>
}

const compressors = { gzip: promisify(gzip), br: promisify(brotliCompress) }

export const createJsonDocument = (build: () => object): (() => ConstantDocument) =>
  createDocument(() => JSON.stringify(build()))

/** A document that is built when it is first requested, and compressed when a coding is first requested. */
export const createDocument = (build: () => string): (() => ConstantDocument) =>
  once(() => toConstantDocument(Buffer.from(build())))

/** A page that is rendered when it is first requested. */
const createPage = (render: () => RenderedPage): (() => ConstantPage) =>
  once(() => {
    const { bytes, securityPolicy } = render()
    const headers: HeaderList = [...PAGE_HEADERS, 'content-security-policy', securityPolicy]
    return {
      document: toConstantDocument(bytes),
      options: { type: HTML_TYPE, cacheControl: 'no-cache', headers },
    }
  })

interface ConstantPage {
  document: ConstantDocument
  options: ConstantOptions
}

interface ConstantOptions {
  type: string
  cacheControl: string
  headers?: HeaderList
}

function once<T>(build: () => T): () => T {
  let built: { value: T } | undefined
  return () => (built ??= { value: build() }).value
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

/** Responds with the document in the coding that the client prefers, or 304. */
export async function constantReply(
  { headers }: Pick<PageCall, 'headers'>,
  { hash, load }: ConstantDocument,
  { type, cacheControl, headers: more = [] }: ConstantOptions,
): Promise<Reply> {
  const coding = chooseCoding(headers['accept-encoding'], false) ?? 'identity'
  const etag = `"${hash}-${coding}"`
  const common: HeaderList = ['vary', 'accept-encoding', 'etag', etag, 'cache-control', cacheControl, ...more]
  if (headers['if-none-match'] === etag)
    return { status: 304, type: undefined, headers: common, body: undefined }
  if (coding !== 'identity') common.push('content-encoding', coding)
  const { buffer, byteOffset, byteLength } = await load(coding)
  return { status: 200, type, headers: common, body: Buffer.from(buffer, byteOffset, byteLength) }
}

/** Handles the requests for a page or document. */
export type Serve = (call: PageCall) => Promise<Reply>

/** Serves a page that is rendered when it is first requested. */
export function servePage(render: () => RenderedPage): Serve {
  const load = createPage(render)
  return (call) => {
    const { document, options } = load()
    return constantReply(call, document, options)
  }
}

export type DemoServe = (call: PageCall, services: Pick<Services, 'isDemo'>) => Promise<Reply>

/** Serves what has other texts while the store holds the demo. */
export function serveByDemo(create: (isDemo: boolean) => Serve): DemoServe {
  const serve = create(false)
  const serveDemo = create(true)
  return async (call, { isDemo }) => ((await isDemo()) ? serveDemo : serve)(call)
}

/** Serves a text that is built when it is first requested. */
export function serveText(type: string, build: () => string): Serve {
  const load = createDocument(build)
  return (call) => constantReply(call, load(), { type, cacheControl: 'no-cache' })
}
