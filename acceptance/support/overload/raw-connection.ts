import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Portico } from '../servers/portico.ts'

export interface RawRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface RawConnection {
  socket: Socket
  /** Reads responses in the order of their arrival; fails if the connection ends first. */
  read(count: number): Promise<RawResponse[]>
  /** Resolves when the connection has ended for any reason. */
  ended: Promise<void>
}

const GIVE_UP_MS = 120_000

/** The bytes of one request on a persistent connection. */
export function toBytes({ method = 'GET', path, headers = {}, body = '' }: RawRequest): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: 'localhost', ...length, ...headers })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** As many copies of a request as fit into a number of bytes. */
export function fill(request: RawRequest, bytes: number): string {
  const one = toBytes(request)
  return one.repeat(Math.max(1, Math.floor(bytes / one.length)))
}

/** A connection that reads nothing until `read` is called. */
export async function openConnection(
  { port, origin }: Portico,
  { localAddress = '127.0.0.1' }: { localAddress?: string } = {},
): Promise<RawConnection> {
  const isTls = origin.startsWith('https:')
  const socket = isTls
    ? connectTls({ host: '127.0.0.1', port, servername: 'localhost' })
    : connect({ host: '127.0.0.1', port, localAddress })
  socket.pause()
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => resolve())
    socket.once('close', () => resolve())
  })
  let received = Buffer.alloc(0)
  let notify = (): void => {}
  const readMore = (): Promise<void> => {
    assert.ok(!socket.destroyed, `the connection ended after ${received.length} unread bytes`)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no response')), GIVE_UP_MS)
      notify = () => {
        clearTimeout(timer)
        resolve()
      }
      socket.resume()
    })
  }
  socket.once('close', () => notify())
  return {
    socket,
    ended,
    async read(count) {
      if (socket.listenerCount('data') === 0)
        socket.on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk])
          notify()
        })
      const responses: RawResponse[] = []
      while (responses.length < count) {
        const parsed = parseResponse(received)
        if (parsed) {
          responses.push(parsed.response)
          received = received.subarray(parsed.length)
        } else {
          await readMore()
        }
      }
      return responses
    },
  }
}

/** The first response, once it is complete. */
function parseResponse(bytes: Buffer): { response: RawResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const start = headEnd + 4
  const body =
    headers['transfer-encoding'] === 'chunked'
      ? parseChunks(bytes, start)
      : parseLength(bytes, start, Number(headers['content-length'] ?? 0))
  return body && { response: { status, headers, body: body.text }, length: body.end }
}

function parseLength(
  bytes: Buffer,
  start: number,
  length: number,
): { text: string; end: number } | undefined {
  const end = start + length
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end }
}

function parseChunks(bytes: Buffer, start: number): { text: string; end: number } | undefined {
  const chunks: Buffer[] = []
  let position = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', position)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', position, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { text: Buffer.concat(chunks).toString('utf8'), end: next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    position = next
  }
}
