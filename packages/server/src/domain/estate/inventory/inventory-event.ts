import type { NewEvent } from '../../event/event.ts'
import { newOrderedUuid } from '../../../kernel/ids.ts'
import type { InventoryDecision } from './decide-inventory.ts'

/** Identifiers of each kind in an event: its body stays small however large the document is. */
const MAX_LISTED = 100

/** The event of an inventory document that changed something; `version` is the inventory version after it. */
export function toInventoryEvent(
  { changes, spaces, devices }: Pick<InventoryDecision, 'changes' | 'spaces' | 'devices'>,
  at: number,
  version: number,
): NewEvent {
  const spaceUuids = [...spaces.written.keys(), ...spaces.archived]
  const deviceUuids = [...devices.written.keys()]
  const { created, updated, archived } = changes
  return {
    eventUuid: newOrderedUuid(at),
    type: 'inventory.changed',
    at,
    recordedAt: at,
    deviceUuid: null,
    spaceUuid: null,
    data: {
      created,
      updated,
      archived,
      version,
      spaceUuids: spaceUuids.slice(0, MAX_LISTED),
      deviceUuids: deviceUuids.slice(0, MAX_LISTED),
      isComplete: Math.max(spaceUuids.length, deviceUuids.length) <= MAX_LISTED,
    },
  }
}
