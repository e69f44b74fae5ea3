import type { V1Caller } from '@portico/sdk/operator'

/** A partner whose calls would have failed. */
export interface FailingPartner {
  partnerUuid: string
  partnerName: string
  endpoints: V1Caller[]
  lastSeenAt: string
}

export const REHEARSED_DAYS = 7

/** The partners that called some endpoints of version 1 since a time, the most recent first. */
export function rehearse(
  callers: readonly V1Caller[],
  paths: ReadonlySet<string>,
  since: number,
): FailingPartner[] {
  const recent = callers.filter(({ path, lastSeenAt }) => paths.has(path) && Date.parse(lastSeenAt) >= since)
  return [...Map.groupBy(recent, ({ partnerUuid }) => partnerUuid)]
    .map(([partnerUuid, endpoints]) => ({
      partnerUuid,
      partnerName: endpoints[0]?.partnerName ?? partnerUuid,
      endpoints,
      lastSeenAt:
        endpoints
          .map(({ lastSeenAt }) => lastSeenAt)
          .toSorted()
          .at(-1) ?? '',
    }))
    .toSorted((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt))
}
