import type { Inventory } from '@portico/wire/operator/inventory'
import { aldgateCourt } from './inventory/aldgate-court.ts'
import { tanneryWharf } from './inventory/tannery-wharf.ts'

export { DEMO_GATEWAY_UUID, DEMO_SITE_UUID } from './inventory/aldgate-court.ts'
export { demoBuildingImage, demoLogo } from './images.ts'
export { type Misbehaviour, findMisbehaving } from './inventory/misbehaving-devices.ts'
export { OTHER_GATEWAY_UUID } from './inventory/tannery-wharf.ts'
export { isSilentThisMonth } from './model/faults.ts'
export { buildModel, demoHistory, demoLatest, demoReadingAt, type SeriesHistory } from './model/history.ts'

let inventories: { main: Inventory; other: Inventory } | undefined

/** The demo's sites: one granted to its partner and one that is not. The documents never change. */
export function demoInventories(): { main: Inventory; other: Inventory } {
  inventories ??= { main: aldgateCourt(), other: tanneryWharf() }
  return inventories
}
