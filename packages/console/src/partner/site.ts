import type { Account, SiteRecord } from '@portico/sdk'
import { v2 } from '../api.ts'
import { useCall } from '../resource.ts'

export const ACCOUNT = v2('GET', '/account')

/** The record of a site; undefined while it loads, and for a site that is not granted. */
export function useSite(siteUuid: string): SiteRecord | undefined {
  const { data } = useCall<Account>(ACCOUNT, { refreshMs: 0 })
  return data?.sites.find((site) => site.siteUuid === siteUuid)
}
