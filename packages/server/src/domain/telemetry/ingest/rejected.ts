/** A message that was refused, or of which a part was. */
export interface RejectedMessage {
  at: number
  topic: string
  /** A code such as `not-json`. */
  reason: string
  message: string
  /** The first bytes as text. */
  payload: string
  payloadBytes: number
  /** The account it came from; null where an outside broker knows it alone. */
  gatewayUuid: string | null
}

export interface StoredRejection extends RejectedMessage {
  id: number
}

export interface RejectedStore {
  /** In their order, all or none; of all that were ever kept, the newest stay. */
  add(messages: readonly RejectedMessage[]): Promise<void>
  /** Newest first; `before` is the id of the last one of the page before. */
  list(page: { before: number | undefined; limit: number }): Promise<StoredRejection[]>
}

/** How many are kept: enough to find a fault in, few enough that no flood fills the disk. */
export const MAX_REJECTED = 10_000
