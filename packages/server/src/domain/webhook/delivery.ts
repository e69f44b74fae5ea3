import type { EventRecord, EventType } from '../event/event.ts'
import type { OutgoingError } from '../../kernel/outgoing-http.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Why an attempt failed; `status` is a response other than 2xx. */
export type AttemptError = OutgoingError | 'status'

/** Identifies a delivery. `round` is 0, or the number of a replay. */
export interface DeliveryKey {
  siteUuid: string
  webhookUuid: string
  number: number
  round: number
}

/** The delivery of one event to one webhook. */
export interface Delivery extends DeliveryKey {
  eventUuid: string
  type: EventType
  state: DeliveryState
  tries: number
  dueAt: number
  createdAt: number
  deliveredAt: number | null
  lastStatus: number | null
  lastError: AttemptError | null
}

/** A delivery that is to be attempted until its lease expires. */
export interface ClaimedDelivery extends DeliveryKey {
  event: EventRecord
  tries: number
  givesWay: boolean
  /** A later event of its lane was delivered before, or is in flight and may have arrived. */
  isLate: boolean
  leasedUntil: number
}

export interface DeliveryAttempt {
  at: number
  status: number | null
  error: AttemptError | null
  durationMs: number
  response: string | null
}

/** What an attempt changes, written in one transaction with the attempt. */
export interface DeliveryOutcome {
  key: DeliveryKey
  attempt: DeliveryAttempt
  state: DeliveryState
  tries: number
  dueAt: number
  givesWay: boolean
}

/** The lane of an event: events of one lane are delivered in order. */
export const getLane = ({
  deviceUuid,
  spaceUuid,
  siteUuid,
}: Pick<EventRecord, 'deviceUuid' | 'spaceUuid' | 'siteUuid'>): string => deviceUuid ?? spaceUuid ?? siteUuid
