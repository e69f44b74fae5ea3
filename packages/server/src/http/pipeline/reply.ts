import type { Readable } from 'node:stream'
import type { LiveBody } from './body/live-body.ts'
import type { StreamedBody } from './body/streamed-body.ts'

/** Alternating names and values: the fastest form for `writeHead`. */
export type HeaderList = (string | number)[]

/** A body that is encoded only if it is sent: a 304 does not need it. */
export interface DeferredBody {
  /** Identifies the content; becomes the ETag. */
  digest: string
  write(): string
  /** The UTF-8 body as a latin1 string: `length` is the byte length, and `end()` need not encode. */
  writeBytes(): string
}

/** A handler's result. Only `write-response.ts` turns it into bytes. */
export interface Reply {
  status: number
  /** The Content-Type; undefined without a body. */
  type: string | undefined
  headers?: HeaderList
  /** Any other `Readable` is generated while it is sent: it has no ETag, and if it fails, the connection is cut. */
  body: string | Buffer | DeferredBody | StreamedBody | LiveBody | Readable | undefined
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const CSV_TYPE = 'text/csv; charset=utf-8'
export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
export const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8'

export const REPRESENTATIONS = ['application/json', 'text/csv', 'application/x-ndjson'] as const

export type Representation = (typeof REPRESENTATIONS)[number]

export const jsonReply = (value: object, status = 200, headers?: HeaderList): Reply =>
  headers
    ? { status, type: JSON_TYPE, headers, body: JSON.stringify(value) }
    : { status, type: JSON_TYPE, body: JSON.stringify(value) }

export const NO_CONTENT: Reply = { status: 204, type: undefined, body: undefined }
