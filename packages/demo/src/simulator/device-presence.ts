import type { PresenceMessage } from '@portico/wire/mqtt/messages'
import { toTopic } from '@portico/server/mqtt/topics'
import type { SimulatedDevice } from './simulated-device.ts'

/** Presence of individual devices, where it differs from that of their gateway. */
export interface DevicePresence {
  /** Publishes the changes since the last call. */
  publishChanges(now: number): Promise<void>
  /** To be called after the gateway has published its own presence, which would also apply to devices that are away. */
  publishAgain(now: number): Promise<void>
}

export function createDevicePresence(
  siteUuid: string,
  devices: ReadonlyMap<string, SimulatedDevice>,
  /** Devices last seen offline before this simulator started. */
  lastOffline: readonly string[],
  publish: (topic: string, payload: string, options: { isRetained: boolean }) => Promise<unknown>,
): DevicePresence {
  const offline = new Set(lastOffline)

  const publishState = async ({ deviceUuid }: SimulatedDevice, isOffline: boolean): Promise<void> => {
    const word: PresenceMessage = isOffline ? 'offline' : 'online'
    await publish(toTopic('presence', siteUuid, deviceUuid), word, { isRetained: true })
    if (isOffline) offline.add(deviceUuid)
    else offline.delete(deviceUuid)
  }

  const publishStatesWhere = async (
    now: number,
    shouldPublish: (is: boolean, was: boolean) => boolean,
  ): Promise<void> => {
    for (const device of devices.values()) {
      const isOffline = device.isOffline(now)
      if (shouldPublish(isOffline, offline.has(device.deviceUuid))) await publishState(device, isOffline)
    }
  }

  return {
    publishChanges: (now) => publishStatesWhere(now, (is, was) => is !== was),
    publishAgain: (now) => publishStatesWhere(now, (is, was) => is || was),
  }
}
