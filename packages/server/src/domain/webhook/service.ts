import type { Clock } from '../../kernel/clock.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { AddressFilter } from '../../kernel/address-filter.ts'
import type { EventType } from '../event/event.ts'
import type { EventStore } from '../event/store.ts'
import type { Actor, AuditEntry } from '../identity/audit.ts'
import type { Partner } from '../identity/partner/partner.ts'
import type { Delivery, DeliveryAttempt } from './delivery.ts'
import { MAX_REPLAYED, toAttempt } from './rules.ts'
import { SECRET_OVERLAP_MS, toSecretText } from './secret.ts'
import type { Sender } from './send.ts'
import { createStandings } from './standing.ts'
import { loadView, loadViews, type WebhookView } from './view.ts'
import type { DeliveryFilter, DeliveryPosition, WebhookStore } from './store.ts'
import { checkUrl } from './url.ts'
import { HEALTHY, isFailing, MAX_WEBHOOKS, NO_PROGRESS, type Webhook, type WebhookFields } from './webhook.ts'

export interface NewWebhook {
  url: string
  description?: string | null
  eventTypes?: readonly EventType[] | null
  siteUuids?: readonly string[] | null
  heartbeat?: boolean
}

export interface WebhookChanges extends Partial<NewWebhook> {
  state?: 'enabled' | 'paused'
}

/** The events to send again, of one site. Without limits: all that are kept. */
export interface ReplayRequest {
  siteUuid: string
  fromNumber?: number
  toNumber?: number
  /** Instants in milliseconds; the end is exclusive. */
  fromAt?: number
  toAt?: number
  eventTypes?: readonly EventType[]
  onlyFailed: boolean
}

export interface WebhookCounts {
  enabled: number
  failing: number
  disabled: number
}

/** A partner that acts on its own webhooks; those of another partner do not exist for it. */
export interface WebhookCaller {
  partner: Partner
  actor: Actor
}

export interface WebhookService {
  add(caller: WebhookCaller, input: NewWebhook): Promise<WebhookView & { secret: string }>
  list(partnerUuid: string): Promise<WebhookView[]>
  get(caller: WebhookCaller, webhookUuid: string): Promise<WebhookView>
  change(caller: WebhookCaller, webhookUuid: string, changes: WebhookChanges): Promise<WebhookView>
  remove(caller: WebhookCaller, webhookUuid: string): Promise<void>
  /** Enables a webhook, and continues where it stopped or with the next event. */
  enable(caller: WebhookCaller, webhookUuid: string, from: 'where-it-stopped' | 'now'): Promise<WebhookView>
  test(caller: WebhookCaller, webhookUuid: string): Promise<DeliveryAttempt>
  rotateSecret(
    caller: WebhookCaller,
    webhookUuid: string,
  ): Promise<{ secret: string; previousEndsAt: number }>
  deliveries(
    caller: WebhookCaller,
    webhookUuid: string,
    filter: DeliveryFilter,
    after: DeliveryPosition | undefined,
    limit: number,
  ): Promise<Delivery[]>
  delivery(
    caller: WebhookCaller,
    webhookUuid: string,
    eventUuid: string,
  ): Promise<{ delivery: Delivery; attempts: DeliveryAttempt[] }>
  replay(caller: WebhookCaller, webhookUuid: string, request: ReplayRequest): Promise<number>
  count(partnerUuid: string): Promise<WebhookCounts>
}

export function createWebhookService(deps: {
  store: WebhookStore
  events: Pick<EventStore, 'heads' | 'lastBefore'>
  partners: Parameters<typeof createStandings>[0]
  sender: Sender
  filter: AddressFilter
  installationKey(): Uint8Array
  clock: Clock
}): WebhookService {
  const { store, events, sender, filter, clock } = deps
  const findStanding = createStandings(deps.partners, clock)

  const require = async ({ partner }: WebhookCaller, webhookUuid: string): Promise<Webhook> => {
    const webhook = await store.find(webhookUuid)
    if (webhook?.partnerUuid !== partner.partnerUuid) throw notFound('webhook')
    return webhook
  }
  const entryFor = ({ actor }: WebhookCaller, what: string, target: string, detail = {}): AuditEntry => ({
    at: clock.now(),
    actor,
    action: `webhook.${what}`,
    target,
    detail,
  })
  const update = async (
    caller: WebhookCaller,
    webhookUuid: string,
    what: string,
    changes: WebhookFields,
    detail = {},
  ): Promise<Webhook> => {
    const entry = entryFor(caller, what, webhookUuid, detail)
    const webhook = await store.update(webhookUuid, {}, { ...changes, updatedAt: clock.now() }, entry)
    if (!webhook) throw notFound('webhook')
    return webhook
  }

  return {
    async add(caller, { url, description = null, eventTypes = null, siteUuids = null, heartbeat = false }) {
      const { partner } = caller
      const now = clock.now()
      const sites = siteUuids && checkSites(partner, siteUuids)
      const webhook: Webhook = {
        webhookUuid: newUuid(),
        partnerUuid: partner.partnerUuid,
        url: checkUrl(url, filter),
        description,
        eventTypes: withoutRepetitions(eventTypes),
        siteUuids: sites,
        heartbeat,
        state: 'enabled',
        reason: null,
        ...HEALTHY,
        secretNumber: 1,
        previousEndsAt: null,
        nextHeartbeatAt: null,
        createdAt: now,
        updatedAt: now,
      }
      const entry = entryFor(caller, 'added', webhook.webhookUuid, { url: webhook.url })
      const outcome = await store.add(webhook, sites ?? partner.sites, { max: MAX_WEBHOOKS }, entry)
      if (outcome === 'too-many')
        throw new AppError('conflict', `A partner has at most ${MAX_WEBHOOKS} webhooks; remove one first.`)
      return { webhook, progress: NO_PROGRESS, secret: toSecretText(deps.installationKey(), webhook) }
    },

    list: async (partnerUuid) => loadViews(store, await store.list(partnerUuid)),
    get: async (caller, webhookUuid) => loadView(store, await require(caller, webhookUuid)),

    async change(caller, webhookUuid, { url, siteUuids, eventTypes, state, ...given }) {
      const before = await require(caller, webhookUuid)
      const address = url === undefined ? undefined : checkUrl(url, filter)
      // A new address starts healthy; enabling also clears why it was disabled.
      const isReset = (address !== undefined && address !== before.url) || state === 'enabled'
      const sites = siteUuids && checkSites(caller.partner, siteUuids)
      const others = {
        ...given,
        ...(eventTypes !== undefined && { eventTypes: withoutRepetitions(eventTypes) }),
      }
      const changes: WebhookFields = {
        ...others,
        ...(address !== undefined && { url: address }),
        ...(sites !== undefined && { siteUuids: sites }),
        ...(state !== undefined && { state, reason: null }),
        ...(isReset && HEALTHY),
      }
      const webhook = await update(caller, webhookUuid, 'changed', changes, {
        url,
        siteUuids,
        state,
        ...others,
      })
      // An added site counts from its next event, not from when the deliverer first reads its log.
      if (sites !== undefined) await store.addPositions(webhookUuid, sites ?? caller.partner.sites)
      if (isReset) await store.makeDue(webhookUuid, clock.now())
      return loadView(store, webhook)
    },

    async remove(caller, webhookUuid) {
      const { url } = await require(caller, webhookUuid)
      await store.remove(webhookUuid, entryFor(caller, 'removed', webhookUuid, { url }))
    },

    async enable(caller, webhookUuid, from) {
      await require(caller, webhookUuid)
      if (from === 'now') await store.skipToEnd(webhookUuid)
      const changes = { ...HEALTHY, state: 'enabled', reason: null } as const
      const webhook = await update(caller, webhookUuid, 'enabled', changes, { from })
      await store.makeDue(webhookUuid, clock.now())
      return loadView(store, webhook)
    },

    async test(caller, webhookUuid) {
      const webhook = await require(caller, webhookUuid)
      const sent = await sender.sendNotice(webhook, 'webhook.test', { webhookUuid })
      return toAttempt(sent.result, sent.at, sent.durationMs)
    },

    async rotateSecret(caller, webhookUuid) {
      const { secretNumber } = await require(caller, webhookUuid)
      const now = clock.now()
      const previousEndsAt = now + SECRET_OVERLAP_MS
      const changes = { secretNumber: secretNumber + 1, previousEndsAt, updatedAt: now }
      const entry = entryFor(caller, 'secret-rotated', webhookUuid)
      const webhook = await store.update(webhookUuid, { secretNumber }, changes, entry)
      if (!webhook) throw new AppError('conflict', 'The secret is being changed by another request.')
      return { secret: toSecretText(deps.installationKey(), webhook), previousEndsAt }
    },

    async deliveries(caller, webhookUuid, deliveryFilter, after, limit) {
      await require(caller, webhookUuid)
      return store.deliveries(webhookUuid, deliveryFilter, after, limit)
    },

    async delivery(caller, webhookUuid, eventUuid) {
      await require(caller, webhookUuid)
      const [newest] = await store.findDeliveries(webhookUuid, eventUuid)
      if (!newest) throw notFound('delivery')
      return newest
    },

    async replay(caller, webhookUuid, request) {
      const webhook = await require(caller, webhookUuid)
      const { siteUuid, eventTypes, onlyFailed } = request
      const standing = await findStanding(webhook)
      if (!standing.siteUuids.includes(siteUuid))
        throw invalidField('siteUuid', 'unknown-site', 'must be a site of the webhook')
      const { fromNumber, toNumber } = await toNumbers(events, request)
      const types = standing.types.filter((type) => eventTypes === undefined || eventTypes.includes(type))
      const range = { fromNumber, toNumber, types, onlyFailed }
      const count = await store.replay({ siteUuid, webhookUuid }, range, MAX_REPLAYED, clock.now())
      await update(caller, webhookUuid, 'replayed', {}, { siteUuid, fromNumber, toNumber, count })
      return count
    },

    async count(partnerUuid) {
      const counts = { enabled: 0, failing: 0, disabled: 0 }
      for (const webhook of await store.list(partnerUuid)) {
        if (isFailing(webhook)) counts.failing += 1
        else if (webhook.state !== 'paused') counts[webhook.state] += 1
      }
      return counts
    },
  }
}

const withoutRepetitions = (types: readonly EventType[] | null): EventType[] | null =>
  types && [...new Set(types)]

function checkSites(partner: Partner, siteUuids: readonly string[]): string[] {
  const sites = [...new Set(siteUuids.map((site) => site.toLowerCase()))]
  const unknown = sites.filter((site) => !partner.sites.includes(site))
  if (unknown.length > 0)
    throw invalidField(
      'siteUuids',
      'unknown-site',
      `includes sites not granted to you: ${unknown.join(', ')}`,
    )
  return sites
}

/** The range in numbers, within what is kept. */
async function toNumbers(
  events: Pick<EventStore, 'heads' | 'lastBefore'>,
  { siteUuid, fromNumber, toNumber, fromAt, toAt }: ReplayRequest,
): Promise<{ fromNumber: number; toNumber: number }> {
  const head = (await events.heads([siteUuid])).get(siteUuid)
  const first = head?.firstNumber ?? 1
  const from = fromAt === undefined ? fromNumber : (await events.lastBefore(siteUuid, fromAt)) + 1
  const to = toAt === undefined ? toNumber : await events.lastBefore(siteUuid, toAt)
  return {
    fromNumber: Math.max(from ?? first, first),
    toNumber: Math.min(to ?? Number.MAX_SAFE_INTEGER, head?.lastNumber ?? 0),
  }
}
