import type { JsonObject } from '../json.ts'
import type { Seen } from './ledger-device.ts'

/** Publishes a status for the command that was just seen; resolves with the broker's acknowledgement. */
export type Say = (status: string, more?: JsonObject) => Promise<void>

/** What a device does about a message; it is asked again when the message comes again. */
export type Answering = (seen: Seen, say: Say) => Promise<void>

export const silent: Answering = async () => {}

export const acknowledges: Answering = (_, say) => say('delivered')

export const confirms: Answering = async (_, say) => {
  await say('delivered')
  await say('confirmed')
}

export const rejects =
  (reason: string): Answering =>
  async (_, say) => {
    await say('delivered')
    await say('rejected', { reason })
  }

/** Says everything twice, as a device does that missed the acknowledgement of its answer. */
export const confirmsTwice: Answering = async (_, say) => {
  for (const status of ['delivered', 'delivered', 'confirmed', 'confirmed']) await say(status)
}

/** The answers overtake each other on their way. */
export const confirmsInReverse: Answering = async (_, say) => {
  await say('confirmed')
  await say('delivered')
}
