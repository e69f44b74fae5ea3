import type { Inventory } from '@portico/wire/operator/inventory'

/** What is wrong with a device, so that a partner meets it without asking for it. */
export type Misbehaviour = 'awayAtTimes' | 'rejectsAtTimes'

const NOTES: Record<Misbehaviour, string> = {
  awayAtTimes: 'at times offline',
  rejectsAtTimes: 'rejects at times',
}

/** The last two that take commands, by name: whoever picks the first one gets a device that does as it is told. */
export function findMisbehaving({ devices }: Inventory): ReadonlyMap<string, Misbehaviour> {
  const [away, rejecting] = devices
    .filter(({ capabilities }) => (capabilities?.schedule?.types.length ?? 0) > 0)
    .toSorted((a, b) => (a.deviceName < b.deviceName ? -1 : 1))
    .slice(-2)
  const troubles = new Map<string, Misbehaviour>()
  if (away && rejecting) {
    troubles.set(away.deviceUuid, 'awayAtTimes').set(rejecting.deviceUuid, 'rejectsAtTimes')
  }
  return troubles
}

/** The same devices, and those in trouble say so in their name, which moves none of them in the list. */
export function nameMisbehaving(inventory: Inventory): Inventory {
  const troubles = findMisbehaving(inventory)
  const devices = inventory.devices.map((device) => {
    const trouble = troubles.get(device.deviceUuid)
    return trouble ? { ...device, deviceName: `${device.deviceName} (${NOTES[trouble]})` } : device
  })
  return { ...inventory, devices }
}
