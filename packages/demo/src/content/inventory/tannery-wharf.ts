import type { Inventory } from '@portico/wire/operator/inventory'
import { nameUuid } from '../name-uuid.ts'
import { addFlat, addStudio } from './homes.ts'
import { GAS_METER, INTERVAL_METER } from './meter-products.ts'
import { AIR_SENSOR, COMFORT_SENSOR } from './room-products.ts'
import { buildSite } from './site-builder.ts'

export const OTHER_GATEWAY_UUID = nameUuid('gateway/Tannery Wharf')

/** A small house in Leeds, for which the demo's partner has no grant. */
export function tanneryWharf(): Inventory {
  const siteName = 'Tannery Wharf'
  const site = buildSite(
    {
      siteUuid: nameUuid(`site/${siteName}`),
      siteName,
      timeZone: 'Europe/London',
      legacyId: 58,
      latitude: 53.7921,
      longitude: -1.5388,
      postcode: 'LS10',
      sandbox: false,
    },
    { firstLegacyId: 5001 },
  )
  const building = site.building('Tannery Wharf')
  addFlat(site, { code: 'T1A', building, floorNumber: 1, bedrooms: 5 })
  for (const code of ['T101', 'T102', 'T103', 'T104']) {
    addStudio(site, { code, building, floorNumber: 1, sensor: AIR_SENSOR, isLarge: code === 'T104' })
  }
  const office = site.space('Office', {
    building,
    floorNumber: 0,
    spaceType: 'office',
    areaM2: 18,
    capacity: 2,
  })
  site.device(office, 'electricity', INTERVAL_METER, 'Office electricity')
  site.device(office, 'sensor', COMFORT_SENSOR, 'Office sensor')
  const plant = site.space('Boiler room', {
    building,
    floorNumber: 0,
    spaceType: 'plant',
    areaM2: 12,
    capacity: 0,
  })
  site.device(plant, 'gas', GAS_METER, 'Gas')
  return site.inventory()
}
