/** A message that was rejected entirely or in part. */
export interface RejectedMessage {
  at: number
  topic: string
  /** Rejection code, such as `not-json`. */
  reason: string
  message: string
  /** The first bytes as text. */
  payload: string
  payloadBytes: number
  /** The account that sent it; null for an external broker, which does not report it. */
  gatewayUuid: string | null
}

export interface StoredRejection extends RejectedMessage {
  id: number
}

/** A page of rejected messages, with its filters. */
export interface RejectedPage {
  /** The id of the last one of the previous page. */
  before: number | undefined
  limit: number
  reason?: string | undefined
  /** A text in topic, message or payload; ASCII letters match in either case. */
  search?: string | undefined
  from?: number | undefined
}

/** A page of the rejected messages of a device. */
export type DeviceRejectedPage = Pick<RejectedPage, 'before' | 'limit'> & {
  /** The part that all topics of the device begin with. */
  topicPrefix: string
}

/** The reason for messages on topics that their sender may not use. Such messages say nothing about the device. */
export const FORBIDDEN_TOPIC = 'forbidden-topic'

export interface RejectedStore {
  /** Adds all messages, in order, or none. The oldest are deleted above `MAX_REJECTED`. */
  add(messages: readonly RejectedMessage[]): Promise<void>
  /** Newest first. */
  list(page: RejectedPage): Promise<StoredRejection[]>
  /** Newest first, without those rejected as `FORBIDDEN_TOPIC`. */
  listForDevice(page: DeviceRejectedPage): Promise<StoredRejection[]>
  /** Stored messages by reason, since an instant; most first. */
  countByReason(since: number): Promise<{ reason: string; messages: number }[]>
}

/** Maximum number of stored messages: enough to find a fault, few enough that a flood does not fill the disk. */
export const MAX_REJECTED = 10_000
