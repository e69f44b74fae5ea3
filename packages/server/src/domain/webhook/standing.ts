import { TtlCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { MaybePromise } from '../../kernel/maybe-promise.ts'
import { type EventType, visibleTypes } from '../event/event.ts'
import type { Partner } from '../identity/partner/partner.ts'
import type { PartnerStore } from '../identity/partner/store.ts'
import type { Webhook } from './webhook.ts'

/** The sites and event types that a webhook may currently receive. */
export interface Standing {
  /** The partner is enabled and may use webhooks. */
  isActive: boolean
  siteUuids: readonly string[]
  types: readonly EventType[]
}

const NOTHING: Standing = { isActive: false, siteUuids: [], types: [] }

/** How long a change of a partner can go unnoticed. */
const FRESH_MS = 2_000
const MAX_PARTNERS = 10_000

/** Finds what a webhook may receive: the intersection of its partner's rights and its own filters. */
export type FindStanding = (webhook: Webhook) => MaybePromise<Standing>

export function createStandings(partners: Pick<PartnerStore, 'get'>, clock: Clock): FindStanding {
  const cache = new TtlCache<string, Partner | undefined>({
    ttlMs: FRESH_MS,
    max: MAX_PARTNERS,
    clock,
    load: (partnerUuid) => partners.get(partnerUuid),
  })
  return async (webhook) => toStanding(webhook, await cache.get(webhook.partnerUuid))
}

function toStanding({ eventTypes, siteUuids }: Webhook, partner: Partner | undefined): Standing {
  if (!partner?.enabled || !partner.roles.includes('Webhooks.Manage')) return NOTHING
  return {
    isActive: true,
    siteUuids: partner.sites.filter((site) => siteUuids === null || siteUuids.includes(site)),
    types: visibleTypes(partner.roles).filter((type) => eventTypes === null || eventTypes.includes(type)),
  }
}
