import type { ServerResponse } from 'node:http'
import { AppError } from '../../../kernel/errors.ts'
import { MAX_UNREAD_BYTES_PER_PARTNER } from '../limits.ts'

/** Response bytes that the connections of each partner have not accepted yet. */
export interface UnreadBytes {
  hasRoom(partnerUuid: string): boolean
  /** Returns `rate-limited` if the partner is at its limit. */
  checkRoom(partnerUuid: string): AppError | undefined
  /**
   * Counts `bytes`, by default the unsent bytes of the response, until it has been sent or its connection is closed.
   */
  hold(partnerUuid: string, response: ServerResponse, bytes?: number): void
}

const RETRY_AFTER_SECONDS = 5

export function createUnreadBytes(max = MAX_UNREAD_BYTES_PER_PARTNER): UnreadBytes {
  /** Unread bytes by partner; partners without any are absent. */
  const held = new Map<string, number>()

  const add = (partnerUuid: string, bytes: number): void => {
    const sum = (held.get(partnerUuid) ?? 0) + bytes
    if (sum > 0) held.set(partnerUuid, sum)
    else held.delete(partnerUuid)
  }

  const hasRoom = (partnerUuid: string): boolean => held.size === 0 || (held.get(partnerUuid) ?? 0) < max

  return {
    hasRoom,
    checkRoom(partnerUuid) {
      if (hasRoom(partnerUuid)) return undefined
      const detail = `Your connections hold more than ${max} bytes of unread responses. Read the responses or close the connections first.`
      return new AppError('rate-limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    },
    hold(partnerUuid, response, bytes = response.writableLength) {
      // A closed connection holds no bytes, and no event would ever release them.
      if (bytes === 0 || response.closed) return
      add(partnerUuid, bytes)
      response.once('close', () => add(partnerUuid, -bytes))
    },
  }
}
