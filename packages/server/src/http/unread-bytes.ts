import type { ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'
import { MAX_UNREAD_BYTES_PER_PARTNER } from './limits.ts'

/** Response bytes that the connections of each partner have not taken yet. */
export interface UnreadBytes {
  hasRoom(partnerUuid: string): boolean
  /** Throws `rate-limited` where there is no room. */
  requireRoom(partnerUuid: string): void
  /** Counts bytes until the response was sent or its connection is closed: what it left unsent, where none are named. */
  hold(partnerUuid: string, response: ServerResponse, bytes?: number): void
}

const RETRY_AFTER_SECONDS = 5

export function createUnreadBytes(max = MAX_UNREAD_BYTES_PER_PARTNER): UnreadBytes {
  /** Of the partners that hold any. */
  const held = new Map<string, number>()

  const add = (partnerUuid: string, bytes: number): void => {
    const sum = (held.get(partnerUuid) ?? 0) + bytes
    if (sum > 0) held.set(partnerUuid, sum)
    else held.delete(partnerUuid)
  }

  const hasRoom = (partnerUuid: string): boolean => held.size === 0 || (held.get(partnerUuid) ?? 0) < max

  return {
    hasRoom,
    requireRoom(partnerUuid) {
      if (hasRoom(partnerUuid)) return
      const detail = `Your connections have more than ${max} bytes of earlier responses to read. Read or close them first.`
      throw new AppError('rate-limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    },
    hold(partnerUuid, response, bytes = response.writableLength) {
      // Of a connection that has closed already nothing is held, and no event would end it.
      if (bytes === 0 || response.closed) return
      add(partnerUuid, bytes)
      response.once('close', () => add(partnerUuid, -bytes))
    },
  }
}
