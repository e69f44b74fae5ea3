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
