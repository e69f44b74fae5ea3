import type { JsonObject } from '../json.ts'
import type { RecordedMessage } from './recording-device.ts'

/** Publishes a status of the command just received; resolves with the broker's acknowledgement. */
export type Respond = (status: string, more?: JsonObject) => Promise<void>

/** A device's reaction to a message; called again when the message is redelivered. */
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

/** Sends everything twice, like a device that missed the acknowledgement of its response. */
export const confirmsTwice: DeviceBehaviour = async (_, say) => {
  for (const status of ['delivered', 'delivered', 'confirmed', 'confirmed']) await say(status)
}

/** The responses arrive out of order. */
export const confirmsInReverse: DeviceBehaviour = async (_, say) => {
  await say('confirmed')
  await say('delivered')
}
