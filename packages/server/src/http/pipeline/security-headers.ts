import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * One year, as required by browsers' preload lists. Without `includeSubDomains`, because this server must not decide
 * for other hosts in its domain.
 */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

const PLAIN = { 'x-content-type-options': 'nosniff' }
const ENCRYPTED = { ...PLAIN, 'strict-transport-security': STRICT_TRANSPORT_SECURITY }

const PLAIN_LIST = Object.entries(PLAIN).flat()
const ENCRYPTED_LIST = Object.entries(ENCRYPTED).flat()

/**
 * Whether this server terminates TLS on the connection. RFC 6797, 7.2 forbids Strict-Transport-Security over plain
 * HTTP.
 */
const isEncrypted = (socket: Socket & Partial<Pick<TLSSocket, 'encrypted'>>): boolean =>
  socket.encrypted === true

/** Headers that every response carries. */
export const securityHeaders = (socket: Socket): Readonly<Record<string, string>> =>
  isEncrypted(socket) ? ENCRYPTED : PLAIN

/** `securityHeaders` as a flat list of names and values, the fastest form for `writeHead`. */
export const securityHeaderList = (socket: Socket): readonly string[] =>
  isEncrypted(socket) ? ENCRYPTED_LIST : PLAIN_LIST
