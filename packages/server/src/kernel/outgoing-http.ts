import { lookup as lookupOnSystem, resolve4, resolve6 } from 'node:dns/promises'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Duplex } from 'node:stream'
import { type AddressFilter, toLiteralAddress } from './address-filter.ts'
import { createSemaphore } from './concurrency.ts'
import { Agent as HttpAgent, request as requestHttp } from './node-http.ts'

/**
 * The only client for addresses that a third party has chosen. A name is resolved once per connection, addresses that
 * are not allowed are removed, and the socket connects to exactly the remaining ones. The `blockList` option of Node is
 * not used: Node 26.10 ignores it for https.
 */
export interface OutgoingHttp {
  /** Sends a POST request. Never follows a redirect, and never rejects. */
  post(url: URL, message: OutgoingMessage): Promise<OutgoingResult>
  close(): void
}

export interface OutgoingMessage {
  headers: Record<string, string>
  body: string
  timeoutMs: number
}

/** Why there is no status. The owner of the address learns nothing beyond these codes. */
export type OutgoingError =
  | 'connection-failed'
  | 'tls-failed'
  | 'timeout'
  | 'address-not-allowed'
  | 'too-large'

export type OutgoingResult =
  | { status: number; retryAfter: string | undefined; response: string }
  | { status: undefined; error: OutgoingError }

/** Resolves a name to all its addresses. */
type Resolve = (hostname: string) => Promise<string[]>

/** At most this much of a response is read. */
const MAX_RESPONSE_BYTES = 16 * 1024
const KEPT_RESPONSE_BYTES = 1_024
const MAX_HEADER_BYTES = 16 * 1024
/** Shorter than the idle timeout of common servers, so that most connections are not closed while they are reused. */
const IDLE_CONNECTION_MS = 4_000

class AddressNotAllowedError extends Error {}

/** The system's resolver uses the thread pool, which must not fill up with the names of one partner. */
const systemLookups = createSemaphore(2)

/**
 * DNS first, because its queries do not occupy threads while a name server is silent. Names that DNS does not know may
 * still be known to the system (/etc/hosts).
 */
async function resolveName(hostname: string): Promise<string[]> {
  const results = await Promise.allSettled([resolve4(hostname), resolve6(hostname)])
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length > 0) return addresses
  const isSilent = results.some(
    (result) => result.status === 'rejected' && hasCode(result.reason, 'ETIMEOUT'),
  )
  if (isSilent && !isLocalhost(hostname)) throw new Error('The name servers do not answer.')
  const known = await systemLookups(() => lookupOnSystem(hostname, { all: true }))
  return known.map(({ address }) => address)
}

const isLocalhost = (hostname: string): boolean => /^(?:.+\.)?localhost\.?$/.test(hostname)

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Passes on addresses that were already checked. */
const pinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    if (options.all) callback(null, found)
    else if (first) callback(null, first.address, first.family)
  }

interface ConnectOptions {
  host?: string | null
  lookup?: LookupFunction
}

type Connected = (error: Error | null, socket: Duplex) => void

/** Makes an agent connect to checked addresses only. Reused connections lead to an address that was checked. */
function pinAddresses(agent: HttpAgent, resolve: (hostname: string) => Promise<string[]>): HttpAgent {
  const connect = agent.createConnection.bind(agent) as (options: ConnectOptions) => Duplex
  const connectChecked = async (options: ConnectOptions, onConnected: Connected): Promise<void> => {
    try {
      const addresses = await resolve(options.host ?? '')
      onConnected(null, connect({ ...options, lookup: pinnedLookup(addresses) }))
    } catch (error) {
      onConnected(error instanceof Error ? error : new Error(String(error)), new Duplex())
    }
  }
  agent.createConnection = (options: ConnectOptions, onConnected?: Connected) => {
    if (onConnected) void connectChecked(options, onConnected)
    return undefined
  }
  return agent
}

export function createOutgoingHttp(filter: AddressFilter, resolve: Resolve = resolveName): OutgoingHttp {
  /** Removes addresses that are not allowed; there is no connection if none is left. */
  const resolveChecked =
    (isAllowed: (address: string) => boolean) =>
    async (hostname: string): Promise<string[]> => {
      const literal = toLiteralAddress(hostname)
      const addresses = literal === undefined ? await resolve(hostname) : [literal]
      const allowed = addresses.filter(isAllowed)
      if (allowed.length === 0) throw new AddressNotAllowedError(`${hostname} has no address that is allowed`)
      return allowed
    }
  const options = { keepAlive: true, maxFreeSockets: 64, timeout: IDLE_CONNECTION_MS }
  const https = pinAddresses(new HttpsAgent(options), resolveChecked(filter.isAllowed))
  // Without TLS, a manipulated name server could redirect requests anywhere, so only networks that the operator has
  // listed are allowed.
  const http = pinAddresses(new HttpAgent(options), resolveChecked(filter.isListed))

  const attempt = (url: URL, message: OutgoingMessage, signal: AbortSignal): Promise<Attempt> =>
    new Promise((done) => {
      const isTls = url.protocol === 'https:'
      const outgoing = (isTls ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: isTls ? https : http,
        headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
        maxHeaderSize: MAX_HEADER_BYTES,
        signal,
      })
      const fail = (error: OutgoingError, wasStale = false): void =>
        done({ result: { status: undefined, error }, wasStale })
      let hasResponse = false
      const finish = async (incoming: IncomingMessage): Promise<void> => {
        const response = await readStart(incoming, outgoing)
        const { statusCode = 0, headers } = incoming
        done({
          result: { status: statusCode, retryAfter: headers['retry-after'], response },
          wasStale: false,
        })
      }
      outgoing.on('response', (incoming) => {
        hasResponse = true
        void finish(incoming)
      })
      outgoing.on('error', (error) => {
        if (hasResponse) return
        // The receiver closed an idle connection while the request was on its way.
        const wasStale = outgoing.reusedSocket && hasCode(error, 'ECONNRESET')
        fail(toOutgoingError(error, signal), wasStale)
      })
      // A switch of protocols ends the request without a response and without an error.
      outgoing.on('close', () => {
        if (!hasResponse) fail('connection-failed')
      })
      outgoing.end(message.body)
    })

  return {
    async post(url, message) {
      const signal = AbortSignal.timeout(message.timeoutMs)
      for (;;) {
        const { result, wasStale } = await attempt(url, message, signal)
        if (!wasStale) return result
      }
    },
    close() {
      https.destroy()
      http.destroy()
    },
  }
}

interface Attempt {
  result: OutgoingResult
  wasStale: boolean
}

/**
 * The start of the body as text. The status is known by now, so a body that is long, slow or truncated does not matter;
 * a connection is reused only after a complete body.
 */
async function readStart(incoming: IncomingMessage, outgoing: ClientRequest): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of incoming as AsyncIterable<Buffer>) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > MAX_RESPONSE_BYTES) break
    }
  } catch {
    outgoing.destroy()
  }
  return Buffer.concat(pieces).subarray(0, KEPT_RESPONSE_BYTES).toString('utf8')
}

const TLS_ERROR =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERROR_IN_CERT|ERROR_IN_CRL)/

function toOutgoingError(error: Error, signal: AbortSignal): OutgoingError {
  if (signal.aborted) return 'timeout'
  if (error instanceof AddressNotAllowedError) return 'address-not-allowed'
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'HPE_HEADER_OVERFLOW') return 'too-large'
  return TLS_ERROR.test(code) ? 'tls-failed' : 'connection-failed'
}
