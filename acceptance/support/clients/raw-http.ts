import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Portico } from '../servers/portico.ts'

export interface RawAnswer {
  status: number
  /** Every header line as received, names in lower case, including duplicates. */
  headers: [name: string, value: string][]
  header(name: string): string | undefined
  body: string
}

export interface RawRequest {
  method?: string
  path: string
  headers?: [name: string, value: string][]
  body?: string | Uint8Array
}

const answerWithinMs = 120_000

/** A request with exactly these header lines (only Host, Connection and Content-Length are added when absent). */
export function sendRequest(portico: Portico, request: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', path, headers = [], body = '' } = request
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [...headers]
  if (!given.has('host')) lines.unshift(['Host', `localhost:${portico.port}`])
  if (!given.has('connection')) lines.push(['Connection', 'close'])
  const bytes = Buffer.from(body)
  const hasLength = given.has('content-length') || given.has('transfer-encoding')
  if (bytes.length > 0 && !hasLength) lines.push(['Content-Length', String(bytes.length)])
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', '']
  return sendBytes(portico, Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]))
}

/** Writes raw bytes, and reads the first response on the connection. */
export async function sendBytes(portico: Portico, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  const socket = connect(portico.port, '127.0.0.1', () => socket.write(bytes))
  socket.setTimeout(answerWithinMs, () => socket.destroy(new Error('no answer')))
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (isComplete(Buffer.concat(chunks))) socket.destroy()
  })
  // A server may reset the connection after responding to a request that it did not read completely.
  socket.on('error', (error) => (chunks.length === 0 ? reject(error) : resolve(Buffer.concat(chunks))))
  socket.on('close', () => resolve(Buffer.concat(chunks)))
  return parseAnswer(await promise)
}

function isComplete(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  return length !== undefined && bytes.length >= headEnd + 4 + Number(length)
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n')
  assert.ok(headEnd >= 0, `not an HTTP answer: ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`)
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]
  assert.ok(status, `not a status line: ${statusLine}`)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(status),
    headers,
    header: (name) => headers.find(([found]) => found === name)?.[1],
    body: bytes.toString('utf8', headEnd + 4),
  }
}
