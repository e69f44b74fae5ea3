import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { securityHeaders } from '../pipeline/security-headers.ts'

/** Whether this server terminates TLS on the connection; a proxy may do so as well. */
const isEncrypted = ({ socket }: IncomingMessage): boolean =>
  'strict-transport-security' in securityHeaders(socket)

const toOrigin = (request: IncomingMessage): string =>
  `${isEncrypted(request) ? 'https' : 'http'}://${request.headers.host ?? ''}`

/**
 * Rejects requests from other sites. Browsers send `Origin` with every POST, and a page cannot choose it. A proxy may
 * change the scheme and the host that this server sees; the browser then uses the public address.
 */
export function requireOwnOrigin(request: IncomingMessage, publicUrl: string): void {
  const { origin } = request.headers
  if (origin !== undefined && (origin === toOrigin(request) || origin === URL.parse(publicUrl)?.origin))
    return
  throw new AppError('forbidden', 'This request was not sent by a page of the console.', {
    internal: `The Origin is ${origin ?? 'absent'}.`,
  })
}

const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** Whether browsers store the cookie, which requires https unless the host is localhost. */
export function canSignIn(request: IncomingMessage, publicUrl: string): boolean {
  const { host = '' } = request.headers
  if (isEncrypted(request) || LOOPBACK.test(host)) return true
  const address = URL.parse(publicUrl)
  return address?.protocol === 'https:' && address.host === host.toLowerCase()
}
