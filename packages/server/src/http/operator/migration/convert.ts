import type { V1Caller } from '@portico/wire/operator/migration'
import { isoInstant } from '../../../lib/clock.ts'
import { getEndpoint } from '../../../migration/endpoints.ts'
import type { V1Use } from '../../../migration/usage-store.ts'

export const V1_CALLER_COLUMNS = [
  'partnerUuid',
  'partnerName',
  'method',
  'path',
  'state',
  'calls',
  'failed',
  'lastSeenAt',
  'replacement',
] as const satisfies readonly (keyof V1Caller)[]

export function toWireV1Caller({
  partnerUuid,
  partnerName,
  path,
  calls,
  failed,
  lastSeenAt,
}: V1Use): V1Caller {
  const { method, state, replacement } = getEndpoint(path)
  return {
    partnerUuid,
    partnerName,
    method,
    path,
    state,
    calls,
    failed,
    lastSeenAt: isoInstant(lastSeenAt),
    replacement,
  }
}
