import type { Inventory } from '@portico/wire/operator/inventory'
import { ROOF } from '../model/premises.ts'
import { addFlat, addStudio } from './homes.ts'
import {
  GAS_METER,
  HOT_WATER_CYLINDER,
  INTERVAL_METER,
  SINGLE_PHASE_METER,
  SOLAR_INVERTER,
  THREE_PHASE_METER,
  WATER_METER,
} from './meter-products.ts'
import {
  AIR_CONDITIONER,
  AIR_SENSOR,
  COMFORT_SENSOR,
  LIVING_SENSOR,
  OCCUPANCY_SENSOR,
  PANEL_HEATER,
  THERMOSTAT,
  WEATHER_SENSOR,
} from './room-products.ts'
import { type Building, buildSite, type SiteBuilder } from './site-builder.ts'
import { nameMisbehaving } from './misbehaving-devices.ts'

export const DEMO_SITE_UUID = '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10'
export const DEMO_GATEWAY_UUID = 'c2a8f6d4-1b3e-4f70-8d95-60e7b4a9d213'

/** Two houses in east London: one with flats, the other mostly with studios. */
export function aldgateCourt(): Inventory {
  const site = buildSite(
    {
      siteUuid: DEMO_SITE_UUID,
      siteName: 'Aldgate Court',
      timeZone: 'Europe/London',
      legacyId: 41,
      latitude: 51.5143,
      longitude: -0.0726,
      postcode: 'E1',
      sandbox: true,
      policy: { heating: { min: 7, max: 25 }, cooling: { min: 20, max: 28 }, hotWater: { min: 50, max: 60 } },
    },
    { firstLegacyId: 1001, gatewayUuid: DEMO_GATEWAY_UUID },
  )
  const weaver = site.building('Weaver House')
  const saddler = site.building('Saddler House')
  for (const floorNumber of [1, 2, 3]) {
    addFlat(site, { code: `W${floorNumber}A`, building: weaver, floorNumber, bedrooms: 6 })
    addFlat(site, { code: `W${floorNumber}B`, building: weaver, floorNumber, bedrooms: 5 })
  }
  addFlat(site, { code: 'S1A', building: saddler, floorNumber: 1, bedrooms: 6 })
  addFlat(site, { code: 'S2A', building: saddler, floorNumber: 2, bedrooms: 5 })
  for (const [floorNumber, studios] of [4, 6, 6, 8].entries()) {
    for (let number = 1; number <= studios; number += 1) {
      const code = `S${floorNumber}${String(number).padStart(2, '0')}`
      const sensor = number % 3 === 0 ? COMFORT_SENSOR : AIR_SENSOR
      addStudio(site, { code, building: saddler, floorNumber, sensor, isLarge: number === studios })
    }
  }
  addReception(site, weaver)
  addCommonRooms(site, weaver)
  addCorridor(site, 'Weaver corridor', weaver)
  addCorridor(site, 'Saddler corridor', saddler)
  addPlant(site, weaver)
  return nameMisbehaving(site.inventory())
}

function addReception(site: SiteBuilder, building: Building): void {
  const office = site.space('Reception', {
    building,
    floorNumber: 0,
    spaceType: 'office',
    areaM2: 46,
    capacity: 8,
    targets: { electricity: { perDay: 9 } },
  })
  site.device(office, 'electricity', INTERVAL_METER, 'Reception electricity')
  site.device(office, 'sensor', LIVING_SENSOR, 'Reception sensor')
  site.device(office, 'thermostat', THERMOSTAT, 'Reception thermostat')
  site.device(office, 'cooling', AIR_CONDITIONER, 'Reception air conditioning')
}

function addCommonRooms(site: SiteBuilder, building: Building): void {
  const common = { building, floorNumber: 0, spaceType: 'other' } as const
  const lounge = site.space('Common room', { ...common, areaM2: 58, capacity: 24 })
  site.device(lounge, 'sensor', AIR_SENSOR, 'Common room sensor')
  site.device(lounge, 'heater', PANEL_HEATER, 'Common room panel heater')
  const laundry = site.space('Laundry', { ...common, areaM2: 24, capacity: 6 })
  site.device(laundry, 'electricity', THREE_PHASE_METER, 'Laundry electricity')
  site.device(laundry, 'cold-water', WATER_METER, 'Laundry cold water')
  site.device(laundry, 'sensor', COMFORT_SENSOR, 'Laundry sensor')
}

function addCorridor(site: SiteBuilder, name: string, building: Building): void {
  const corridor = site.space(name, {
    building,
    floorNumber: 0,
    spaceType: 'corridor',
    areaM2: 38,
    capacity: 0,
  })
  site.device(corridor, 'electricity', SINGLE_PHASE_METER, `${name} lighting`)
  site.device(corridor, 'presence', OCCUPANCY_SENSOR, `${name} presence`)
}

function addPlant(site: SiteBuilder, building: Building): void {
  const plant = site.space('Plant room', {
    building,
    floorNumber: -1,
    spaceType: 'plant',
    areaM2: 32,
    capacity: 0,
  })
  site.device(plant, 'gas', GAS_METER, 'Main gas')
  site.device(plant, 'electricity', THREE_PHASE_METER, 'Plant electricity')
  site.device(plant, 'cylinder', HOT_WATER_CYLINDER, 'Hot water cylinder')
  site.device(plant, 'solar', SOLAR_INVERTER, 'Roof solar')
  const roof = site.space(ROOF, { building, floorNumber: 4, spaceType: 'other', areaM2: null, capacity: 0 })
  site.device(roof, 'weather', WEATHER_SENSOR, 'Weather sensor')
}
