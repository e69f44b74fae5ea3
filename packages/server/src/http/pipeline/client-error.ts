import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { newUuid } from '../../kernel/ids.ts'
import { STATUS_CODES } from '../../kernel/node-http.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

const CODES: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    'The request line and the headers are larger than the limit of this server.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
}

/** Sends a problem body for input that is not valid HTTP and therefore never reaches the router. */
export function respondToClientError(
  error: Error & { code?: string },
  socket: Socket,
  publicUrl: string,
): void {
  const response = findResponse(socket)
  // A connection whose TLS handshake failed cannot carry a response.
  const isLost = error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '')
  if (response?.req.complete && !isLost) {
    // The bytes belong to a later request; its response follows those of the requests before it.
    response.once('close', () => respondToClientError(error, socket, publicUrl))
    return
  }
  if (isLost || !socket.writable || response?.headersSent) {
    socket.destroy()
    return
  }
  const [code, detail] = CODES[error.code ?? ''] ?? ['bad-request', 'The request is not valid HTTP.']
  const { status } = ERRORS[code]
  const traceId = newUuid()
  const body = JSON.stringify(toProblem(new AppError(code, detail), publicUrl, '/', traceId))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${traceId}`,
      ...Object.entries(securityHeaders(socket)).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** The response that the connection is currently sending or waiting for. */
const findResponse = (socket: Socket): ServerResponse | null | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage
