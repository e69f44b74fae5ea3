import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Type } from 'typebox'
import type { IdempotencyKey } from '../../../domain/control/command/store.ts'
import type { WithCaller } from '../../pipeline/gates.ts'

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes retries safe: within 24 hours, the same request with the same key gets the response to the first one.',
      examples: [EXAMPLE.idempotencyKey],
    }),
  ),
})

interface KeyedCall extends WithCaller {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Reads the key and a fingerprint of the request: the device and the body, regardless of its JSON formatting. */
export function readIdempotencyKey(
  { headers, body, caller }: KeyedCall,
  deviceUuid: string,
): IdempotencyKey | undefined {
  const key = headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  const digest = createHash('sha256')
    .update(`${deviceUuid} ${JSON.stringify(sorted(body))}`)
    .digest()
  return { partnerUuid: caller.partnerUuid, key, digest }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
