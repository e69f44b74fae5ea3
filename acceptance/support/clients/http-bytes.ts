import * as http from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Portico } from '../servers/portico.ts'
import type { V2Client } from './v2-client.ts'

export interface BytesAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  /** The body as received, not decoded. */
  bytes: Buffer
}

export interface BytesRequest {
  method?: string
  headers?: Record<string, string>
}

/** A request of a partner without an Accept-Encoding header, whose response is not decoded. */
export const sendForBytes = (
  { portico, token, siteId }: V2Client,
  path: string,
  { headers, ...request }: BytesRequest = {},
): Promise<BytesAnswer> =>
  requestBytes(portico, `/v2${path}`, {
    ...request,
    headers: { authorization: `Bearer ${token}`, siteid: siteId, ...headers },
  })

/** A request with exactly these headers: `fetch` sets some by itself, such as `Sec-Fetch-Mode`. */
export function requestBytes(
  { port }: Pick<Portico, 'port'>,
  path: string,
  { method = 'GET', headers = {} }: BytesRequest = {},
): Promise<BytesAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<BytesAnswer>()
  const request = http.request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers,
    agent: false,
  })
  request.once('error', reject)
  request.once('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.once('error', reject)
    response.once('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
    )
  })
  request.end()
  return promise
}

/** Decodes the body's content coding. */
export function decoded({ bytes, headers }: BytesAnswer): Buffer {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(bytes)
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes
}
