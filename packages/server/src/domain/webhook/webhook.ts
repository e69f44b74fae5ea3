import type { EventType } from '../event/event.ts'

export const MAX_WEBHOOKS = 20
export const MAX_URL_LENGTH = 2_048

/** Paused by the partner; disabled by the server or an operator. */
export type WebhookState = 'enabled' | 'paused' | 'disabled'

/** Why a webhook is disabled: its endpoint failed for days or returned 410, or an operator disabled it. */
export type DisabledReason = 'failing' | 'gone' | 'operator'

export interface Webhook {
  webhookUuid: string
  partnerUuid: string
  url: string
  description: string | null
  /** Null: every type that the partner may see. */
  eventTypes: readonly EventType[] | null
  /** Null: every site of the partner. */
  siteUuids: readonly string[] | null
  /** Whether it receives a heartbeat every hour. */
  heartbeat: boolean
  state: WebhookState
  reason: DisabledReason | null
  /** Since when its endpoint has been failing; null while it is healthy. */
  failingSince: number | null
  /** When the next probe of a failing endpoint is due. */
  probeAt: number | null
  /** Probes since it began to fail. */
  probes: number
  /** Raised by each rotation; the secret is derived from it. */
  secretNumber: number
  /** Until when the previous secret signs as well. */
  previousEndsAt: number | null
  nextHeartbeatAt: number | null
  createdAt: number
  updatedAt: number
}

/** A webhook that is paused or disabled is not failing, even if its endpoint was. */
export const isFailing = ({ state, failingSince }: Webhook): boolean =>
  state === 'enabled' && failingSince !== null

/** The fields that a write may change. */
export type WebhookFields = Partial<Omit<Webhook, 'webhookUuid' | 'partnerUuid' | 'createdAt'>>

/** How far deliveries have come. */
export interface WebhookProgress {
  /** Waiting deliveries, and events that are not dealt out yet, whether the webhook's filters match them or not. */
  waiting: number
  /** When the oldest of them was recorded; null if nothing waits. */
  oldestWaitingAt: number | null
  lastDeliveredAt: number | null
  /** Events that retention removed before they were delivered. */
  lost: number
}

export const NO_PROGRESS: WebhookProgress = {
  waiting: 0,
  oldestWaitingAt: null,
  lastDeliveredAt: null,
  lost: 0,
}

export const HEARTBEAT_EVERY_MS = 3_600_000

/** The fields of a healthy webhook. */
export const HEALTHY = { failingSince: null, probeAt: null, probes: 0 } as const satisfies WebhookFields
