import { OperatorError } from '@portico/server/operator/operator'
import type { Site } from '@portico/wire/v2/site'
import type { OperatorClient } from './operator-client.ts'

export async function requireSite(operator: OperatorClient, siteUuid: string): Promise<Site> {
  const site = (await operator.listSites()).find((one) => one.siteUuid === siteUuid)
  if (!site) throw new OperatorError(`there is no site ${siteUuid}; see portico site list`)
  return site
}
