import {
  HEAT_METER,
  HOT_WATER_METER,
  SINGLE_PHASE_METER,
  THREE_PHASE_METER,
  WATER_METER,
} from './meter-products.ts'
import type { Product } from './product.ts'
import { INTERVAL_PLUG, LIVING_SENSOR, PARTICLE_SENSOR, RADIATOR_VALVE, SMART_PLUG } from './room-products.ts'
import type { Building, Role, SiteBuilder, SpaceDetails } from './site-builder.ts'

export interface Flat {
  /** Such as W1A: building, floor, door. */
  code: string
  building: Building
  floorNumber: number
  bedrooms: number
}

/** A cluster flat: its kitchen with the meters of the whole flat, and its bedrooms. */
export function addFlat(site: SiteBuilder, { code, building, floorNumber, bedrooms }: Flat): void {
  const flat = { building, floorNumber, cluster: `Flat ${code}` }
  const kitchen = site.space(`${code} Kitchen`, {
    ...flat,
    spaceType: 'livingKitchenDining',
    areaM2: 18 + 2.5 * bedrooms,
    capacity: bedrooms + 2,
    targets: {
      electricity: { perDay: 2.4 * bedrooms },
      heating: { perDay: 3.5 * bedrooms },
      water: { perDay: 0.075 * bedrooms },
    },
  })
  const meter = { space: kitchen, role: 'electricity' }
  site.device(meter.space, meter.role, THREE_PHASE_METER, `Flat ${code} electricity`)
  site.device(kitchen, 'cold-water', WATER_METER, `Flat ${code} cold water`)
  site.device(kitchen, 'hot-water', HOT_WATER_METER, `Flat ${code} hot water`)
  site.device(kitchen, 'heat', HEAT_METER, `Flat ${code} heat`)
  site.device(kitchen, 'valve', RADIATOR_VALVE, `${kitchen} radiator valve`)
  const sensor = code.endsWith('B') ? PARTICLE_SENSOR : LIVING_SENSOR
  site.device(kitchen, 'sensor', sensor, `${kitchen} sensor`)
  for (let number = 1; number <= bedrooms; number += 1) {
    const details = { areaM2: number === bedrooms ? 14.5 : 12.5, capacity: 1 }
    addBedroom(site, `${code}-${number}`, number, { ...flat, spaceType: 'bedroom', ...details }, meter)
  }
}

function addBedroom(
  site: SiteBuilder,
  name: string,
  number: number,
  details: SpaceDetails,
  meter: Role,
): void {
  const room = site.space(name, details)
  site.device(room, 'valve', RADIATOR_VALVE, `${room} radiator valve`)
  if (number > 3) return
  site.device(room, 'plug', number === 3 ? INTERVAL_PLUG : SMART_PLUG, `${room} desk plug`, meter)
}

export interface Studio {
  code: string
  building: Building
  floorNumber: number
  sensor: Product
  /** One of the larger ones at a corner. */
  isLarge: boolean
}

export function addStudio(site: SiteBuilder, { code, building, floorNumber, sensor, isLarge }: Studio): void {
  const studio = site.space(code, {
    building,
    floorNumber,
    spaceType: 'studio',
    areaM2: isLarge ? 27.5 : 21,
    capacity: 1,
    ...(isLarge && { targets: { electricity: { perDay: 4.2 }, water: { perDay: 0.09 } } }),
  })
  site.device(studio, 'electricity', SINGLE_PHASE_METER, `${studio} electricity`)
  site.device(studio, 'cold-water', WATER_METER, `${studio} cold water`)
  site.device(studio, 'valve', RADIATOR_VALVE, `${studio} radiator valve`)
  site.device(studio, 'sensor', sensor, `${studio} sensor`)
}
