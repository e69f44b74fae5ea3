import { at, numberAt } from '../../kernel/at.ts'
import type { ReadingsMessage } from '../../mqtt/handlers/readings-intake.ts'
import type { MessageHeads } from './ingest-api.ts'

/** The payloads of a broker are parts of larger buffers, which would be copied as a whole. */
export function packPayloads(messages: readonly ReadingsMessage[]): Uint8Array {
  const payloads = new Uint8Array(messages.reduce((sum, { payload }) => sum + payload.length, 0))
  let end = 0
  for (const { payload } of messages) {
    payloads.set(payload, end)
    end += payload.length
  }
  return payloads
}

export const packHeads = (messages: readonly ReadingsMessage[]): MessageHeads => ({
  siteUuids: messages.map(({ siteUuid }) => siteUuid),
  senderUuids: messages.map(({ senderUuid }) => senderUuid),
  payloadBytes: messages.map(({ payload }) => payload.length),
  areDuplicates: messages.map(({ isDuplicate }) => isDuplicate),
  areRetainedCopies: messages.map(({ isRetainedCopy }) => isRetainedCopy),
})

export function unpackMessages(heads: MessageHeads, payloads: Uint8Array): ReadingsMessage[] {
  let end = 0
  return heads.siteUuids.map((siteUuid, index) => {
    const start = end
    end += numberAt(heads.payloadBytes, index)
    return {
      siteUuid,
      senderUuid: at(heads.senderUuids, index),
      payload: payloads.subarray(start, end),
      isDuplicate: heads.areDuplicates[index] === true,
      isRetainedCopy: heads.areRetainedCopies[index] === true,
    }
  })
}
