import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { KeyUse } from '../../../command/store.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes repeating safe: within 24 hours the same request with the same key is answered as the first was.',
    }),
  ),
})

/** The key of a request, with what makes it the same request: the device and the body, however it is written. */
export function keyOf(request: FastifyRequest, deviceUuid: string): KeyUse | undefined {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return undefined
  const digest = createHash('sha256')
    .update(`${deviceUuid} ${JSON.stringify(sorted(request.body))}`)
    .digest()
  return { partnerUuid: callerOf(request).partnerUuid, key, digest }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
