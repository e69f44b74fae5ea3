import type { JsonObject } from '../json.ts'
import type { RecordedMessage } from './recording-device.ts'

/** Publishes a status for the command that was just seen; resolves with the broker's acknowledgement. */
export type Respond = (status: string, more?: JsonObject) => Promise<void>

/** What a device does about a message; it is asked again when the message comes again. */
export type DeviceBehaviour = (seen: RecordedMessage, say: Respond) => Promise<void>

export const silent: DeviceBehaviour = async () => {}

export const acknowledges: DeviceBehaviour = (_, say) => say('delivered')

export const confirms: DeviceBehaviour = async (_, say) => {
  await say('delivered')
  await say('confirmed')
}

export const rejects =
  (reason: string): DeviceBehaviour =>
  async (_, say) => {
    await say('delivered')
    await say('rejected', { reason })
  }

/** Says everything twice, as a device does that missed the acknowledgement of its answer. */
export const confirmsTwice: DeviceBehaviour = async (_, say) => {
  for (const status of ['delivered', 'delivered', 'confirmed', 'confirmed']) await say(status)
}

/** The answers overtake each other on their way. */
export const confirmsInReverse: DeviceBehaviour = async (_, say) => {
  await say('confirmed')
  await say('delivered')
}
