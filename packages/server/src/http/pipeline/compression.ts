import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Coding } from './negotiate.ts'

type Body = string | Buffer
type CompressedCoding = Exclude<Coding, 'identity'>

/** Below this size, compression saves hardly anything. */
const MIN_BYTES = 1_024

/**
 * Passing a body to another thread takes longer than compressing 5 KB; up to this size, inline compression delays no
 * other request noticeably.
 */
const MAX_INLINE_BYTES = 16 * 1024

/** Best ratio of size to CPU time. */
const GZIP = { level: 6 }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

const compressInThreadPool: Record<CompressedCoding, (body: Body) => Promise<Buffer>> = {
  gzip: (body) => compressGzip(body, GZIP),
  br: (body) => compressBrotli(body, BROTLI),
}

const compressInline: Record<CompressedCoding, (body: Body) => Buffer> = {
  gzip: (body) => gzipSync(body, GZIP),
  br: (body) => brotliCompressSync(body, BROTLI),
}

export const isTooShortToCompress = (body: Body): boolean => body.length < MIN_BYTES

/** Images are compressed already, except SVG, which is text; so is Parquet. */
export const isCompressedType = (type: string): boolean =>
  (type.startsWith('image/') && !type.startsWith('image/svg')) || type.endsWith('.parquet')

export const compress = (body: Body, coding: CompressedCoding): MaybePromise<Buffer> =>
  body.length <= MAX_INLINE_BYTES ? compressInline[coding](body) : compressInThreadPool[coding](body)

export const createCompressor = (coding: CompressedCoding): Transform =>
  coding === 'gzip' ? createGzip(GZIP) : createBrotliCompress(BROTLI)
