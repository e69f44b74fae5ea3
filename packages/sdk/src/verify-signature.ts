import { WebhookError } from './errors.ts'
import type { WebhookEvent } from './event-types.ts'

/** Headers of a request, as frameworks provide them: a plain object, or one with the method `get`. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /** How far the time of the signature may be from now, 300 by default. */
  toleranceSeconds?: number
}

const PARSED = `The body was parsed: pass the raw text or bytes, which were signed.
Express: express.raw({ type: 'application/json' }), request.body
Fastify: addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => done(null, body))
Next.js: await request.text()`

/** See `verifyWebhook`, which loads this module when it is first called. */
export async function verifySignature(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[] | undefined,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const text = toText(body)
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    findHeader(headers, `webhook-${name}`),
  )
  if (id === undefined || timestamp === undefined || signature === undefined)
    throw new WebhookError(
      'headers-missing',
      'webhook-id, webhook-timestamp or webhook-signature is missing: is this a webhook?',
    )
  checkTimestamp(timestamp, toleranceSeconds)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const signatures = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => decodeBase64(one.slice(3)) ?? [])
  const secrets = typeof secret === 'string' || secret === undefined ? [secret] : [...secret]
  if (secrets.length === 0) secrets.push(undefined)
  const keys = secrets.map(toKeyBytes)
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    // verify() compares in constant time.
    for (const one of signatures)
      if (await crypto.subtle.verify('HMAC', key, one, content)) return parseEvent(text)
  }
  throw new WebhookError(
    'signature',
    'The signature does not match: the secret is that of another webhook, or the body was changed',
  )
}

function toText(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body)
  throw new WebhookError('body-was-parsed', PARSED)
}

const hasGet = (headers: HeadersLike): headers is Extract<HeadersLike, { get(name: string): unknown }> =>
  typeof headers['get'] === 'function'

function findHeader(headers: HeadersLike, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : value?.join(' ')
  return undefined
}

function checkTimestamp(timestamp: string, toleranceSeconds: number): void {
  const seconds = /^\d+$/.test(timestamp) ? Number(timestamp) : NaN
  const difference = Math.round(Date.now() / 1000 - seconds)
  if (Math.abs(difference) <= toleranceSeconds) return
  throw new WebhookError(
    'timestamp',
    Number.isNaN(seconds)
      ? 'webhook-timestamp is not a number of seconds'
      : `The webhook was signed ${Math.abs(difference)} s ${difference > 0 ? 'ago' : 'in the future'}: it is a replay, or the clock of this machine is wrong`,
  )
}

function toKeyBytes(secret: string | undefined): Uint8Array<ArrayBuffer> {
  if (secret === undefined || secret === '')
    throw new WebhookError('secret-shape', 'The secret is missing: pass the whsec_… of the webhook')
  if (secret !== secret.trim())
    throw new WebhookError('secret-shape', 'The secret has white space around it: was it read from a file?')
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0)
    throw new WebhookError('secret-shape', 'The secret is not whsec_ followed by base64')
  return bytes
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parseEvent(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent
  } catch {
    throw new WebhookError('body-was-parsed', 'The body is signed but is not JSON')
  }
}
