import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, ERRORS, type ErrorCode } from '../errors.ts'
import { newUuid } from '../lib/ids.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'
import { securityHeaders } from './security-headers.ts'

const CODES: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers-too-large',
    'The address and the headers are larger than this server takes.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive in time.'],
}

/** What cannot be read as HTTP never reaches the framework; its sender still gets a problem body. */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  publicUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
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
