import type { AuditEntry } from '../identity/audit.ts'
import type { EventType } from '../event/event.ts'
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryAttempt,
  DeliveryKey,
  DeliveryOutcome,
  DeliveryState,
} from './delivery.ts'
import type { Webhook, WebhookFields, WebhookProgress } from './webhook.ts'

/** The position of a webhook in the log of a site. */
export interface PositionKey {
  siteUuid: string
  webhookUuid: string
}

/** A position with events to deal out or deliveries that are due. */
export interface PendingPosition extends PositionKey {
  /** `updatedAt` of the webhook when the position was read. */
  updatedAt: number
}

/** A position that is behind the end of the log. */
export interface UnreachedPosition extends PendingPosition {
  /** The last event of the log when the position was read. A later change of the webhook does not apply to it. */
  lastNumber: number
}

export interface DealOutOptions {
  /** The types that the webhook receives. */
  types: readonly EventType[]
  /** The last event to which `types` apply: the webhook may have been changed since. */
  lastNumber: number
  /** Nothing is dealt out while more deliveries of the site wait. */
  maxWaiting: number
  /** Number of events that one call reads. */
  batch: number
}

export interface DeliveryFilter {
  state?: DeliveryState
  type?: EventType
  /** Deliveries created at or after this instant. */
  from?: number
}

/** The end of a page of deliveries: the next page starts after it. */
export type DeliveryPosition = Pick<Delivery, 'createdAt' | 'siteUuid' | 'number' | 'round'>

export interface ReplayRange {
  /** Both inclusive. */
  fromNumber: number
  toNumber: number
  types: readonly EventType[]
  /** Only events whose latest delivery failed. */
  onlyFailed: boolean
}

/** Webhooks belong to the installation; positions, deliveries and attempts belong to a site. */
export interface WebhookStore {
  /** Adds a webhook that starts at the end of the logs of these sites, unless the partner has `max` webhooks. */
  add(
    webhook: Webhook,
    siteUuids: readonly string[],
    limit: { max: number },
    entry: AuditEntry,
  ): Promise<'added' | 'too-many'>
  /** All webhooks, or those of one partner, oldest first. */
  list(partnerUuid?: string): Promise<Webhook[]>
  find(webhookUuid: string): Promise<Webhook | undefined>
  /**
   * Changes a webhook if the expected fields have these values; otherwise returns undefined. A new `updatedAt` is
   * always later than the previous one, even if the clock is not.
   */
  update(
    webhookUuid: string,
    expected: WebhookFields,
    changes: WebhookFields,
    entry?: AuditEntry,
  ): Promise<Webhook | undefined>
  /** Removes a webhook with its positions and deliveries; returns whether it existed. */
  remove(webhookUuid: string, entry: AuditEntry): Promise<boolean>
  /** By webhook; those without a position are missing. */
  progress(webhookUuids: readonly string[]): Promise<ReadonlyMap<string, WebhookProgress>>

  /** Adds missing positions at the end of the logs of these sites. */
  addPositions(webhookUuid: string, siteUuids: readonly string[]): Promise<void>
  /** The positions of enabled, healthy webhooks that are behind the end of the log. */
  unreached(): Promise<UnreachedPosition[]>
  /**
   * Creates deliveries for the next events of the log and moves the position, in one transaction. Events that retention
   * has removed meanwhile are counted as lost. Returns how far the position moved.
   */
  dealOut(position: PositionKey, options: DealOutOptions, now: number): Promise<number>
  /** The positions of enabled, healthy webhooks with deliveries that are due. */
  due(now: number): Promise<PendingPosition[]>
  /**
   * Leases due deliveries, oldest first: of each lane the first that waits, and those that give way. A delivery is
   * leased once until its result is recorded or its lease expires, even by several instances.
   */
  claim(position: PositionKey, now: number, leaseUntil: number, limit: number): Promise<ClaimedDelivery[]>
  /** The oldest waiting deliveries of a webhook, on any site and in any lane. They are not leased by this. */
  oldestWaiting(webhookUuid: string, limit: number): Promise<DeliveryKey[]>
  /** Leases one waiting delivery, whether it is due or not; undefined if it is leased, gone or no longer waiting. */
  claimOne(key: DeliveryKey, now: number, leaseUntil: number): Promise<ClaimedDelivery | undefined>
  /** Records attempts with their outcomes and ends the leases. Deliveries that no longer exist are ignored. */
  record(siteUuid: string, outcomes: readonly DeliveryOutcome[]): Promise<void>
  /**
   * Ends all leases. To be called at startup by a server that is the only one on the store, to release those of its
   * previous run.
   */
  releaseLeases(): Promise<void>
  /** Lets the lane of a waiting delivery continue without it. */
  giveWay(key: DeliveryKey): Promise<void>
  /** Removes waiting deliveries that the partner may no longer receive. */
  drop(siteUuid: string, keys: readonly DeliveryKey[]): Promise<void>
  /** Makes all waiting deliveries of a webhook due. */
  makeDue(webhookUuid: string, now: number): Promise<void>
  /** Removes the waiting deliveries of a webhook and moves its positions to the end of the logs. */
  skipToEnd(webhookUuid: string): Promise<void>
  /** Removes deliveries and attempts of events that are no longer in the log. */
  removeExpired(): Promise<void>

  /** Newest first. */
  deliveries(
    webhookUuid: string,
    filter: DeliveryFilter,
    after: DeliveryPosition | undefined,
    limit: number,
  ): Promise<Delivery[]>
  /** All rounds of the delivery of one event, newest round first, with their attempts, oldest first. */
  findDeliveries(
    webhookUuid: string,
    eventUuid: string,
  ): Promise<{ delivery: Delivery; attempts: DeliveryAttempt[] }[]>
  /** Creates deliveries of events in a range, in a new round. Returns how many; at most `max`. */
  replay(position: PositionKey, range: ReplayRange, max: number, now: number): Promise<number>
}
