import type { V1Caller } from '@portico/wire/operator/migration'
import { isoInstant } from '../../../kernel/clock.ts'
import { getEndpoint } from '../../../domain/v1-lifecycle/catalogue.ts'
import type { V1UsageRow } from '../../../domain/v1-lifecycle/usage-store.ts'

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
}: V1UsageRow): V1Caller {
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
