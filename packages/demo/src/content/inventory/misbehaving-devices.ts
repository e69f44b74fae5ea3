import type { Inventory } from '@portico/wire/operator/inventory'

/** Faulty behaviour of a device that partners see without choosing a simulation mode. */
export type Misbehaviour = 'awayAtTimes' | 'rejectsAtTimes' | 'rejects'

const NOTES: Record<Misbehaviour, string> = {
  awayAtTimes: 'at times offline',
  rejectsAtTimes: 'rejects at times',
  rejects: 'rejects commands',
}

/** The last three controllable devices by name: a partner that picks the first one gets a device that works. */
export function findMisbehaving({ devices }: Inventory): ReadonlyMap<string, Misbehaviour> {
  const [stubborn, away, rejecting] = devices
    .filter(({ capabilities }) => (capabilities?.schedule?.types.length ?? 0) > 0)
    .toSorted((a, b) => (a.deviceName < b.deviceName ? -1 : 1))
    .slice(-3)
  const troubles = new Map<string, Misbehaviour>()
  if (stubborn && away && rejecting) {
    troubles.set(stubborn.deviceUuid, 'rejects')
    troubles.set(away.deviceUuid, 'awayAtTimes').set(rejecting.deviceUuid, 'rejectsAtTimes')
  }
  return troubles
}

/** Adds the misbehaviour to the devices' names, without changing their order in lists. */
export function nameMisbehaving(inventory: Inventory): Inventory {
  const troubles = findMisbehaving(inventory)
  const devices = inventory.devices.map((device) => {
    const trouble = troubles.get(device.deviceUuid)
    return trouble ? { ...device, deviceName: `${device.deviceName} (${NOTES[trouble]})` } : device
  })
  return { ...inventory, devices }
}
