import type { OperatorSite, Partner } from '@portico/sdk/operator'
import { operator } from '../api.ts'
import { type ListResource, useList } from '../resource.ts'

/** As many as one request returns: names of further ones are shown as identifiers. */
export const MOST_NAMES = 1000

export const usePartners = (): ListResource<Partner> =>
  useList<Partner>(operator('GET', '/partners'), { limit: MOST_NAMES, refreshMs: 0 })

export const useSites = (): ListResource<OperatorSite> =>
  useList<OperatorSite>(operator('GET', '/sites'), { limit: MOST_NAMES, refreshMs: 0 })

export const findPartnerName = (partners: readonly Partner[] | undefined, uuid: string): string =>
  partners?.find(({ partnerUuid }) => partnerUuid === uuid)?.name ?? uuid

export const findSiteName = (
  sites: readonly Pick<OperatorSite, 'siteUuid' | 'siteName'>[] | undefined,
  uuid: string,
): string => sites?.find(({ siteUuid }) => siteUuid === uuid)?.siteName ?? uuid

export const toPartnerPage = (partnerUuid: string): string => `/console/operator/partners/${partnerUuid}`
export const toSitePage = (siteUuid: string): string => `/console/operator/sites/${siteUuid}`

export const findSite = (
  sites: readonly OperatorSite[] | undefined,
  uuid: string,
): OperatorSite | undefined => sites?.find(({ siteUuid }) => siteUuid === uuid.toLowerCase())
