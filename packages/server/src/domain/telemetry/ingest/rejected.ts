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

export interface RejectedStore {
  /** Adds all messages, in order, or none. The oldest are deleted above `MAX_REJECTED`. */
  add(messages: readonly RejectedMessage[]): Promise<void>
  /** Newest first; `before` is the id of the last one of the previous page. */
  list(page: { before: number | undefined; limit: number }): Promise<StoredRejection[]>
  /** Stored messages by reason, since an instant; most first. */
  countByReason(since: number): Promise<{ reason: string; messages: number }[]>
}

/** Maximum number of stored messages: enough to find a fault, few enough that a flood does not fill the disk. */
export const MAX_REJECTED = 10_000
