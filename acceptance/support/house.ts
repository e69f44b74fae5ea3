import { randomUUID } from 'node:crypto'
import type { JsonObject } from './json.ts'

export interface InventoryDocument {
  site: JsonObject
  buildings: JsonObject[]
  spaces: JsonObject[]
  devices: JsonObject[]
}

/** How many records a document holds, the site among them. */
export function countRecords({ buildings, spaces, devices }: InventoryDocument): number {
  return 1 + buildings.length + spaces.length + devices.length
}

/** A small site of which a test knows everything. */
export interface SmallSite {
  document: InventoryDocument
  siteUuid: string
  buildingUuid: string
  clusterUuid: string
  bedroom: string
  secondBedroom: string
  kitchen: string
  studio: string
  meter: string
  secondMeter: string
  sensor: string
  trv: string
  cylinder: string
}

export const scheduleTypes = ['weekly', 'override', 'boost', 'resume', 'oneOff']

const oneEach = { minuteStep: 1, maxPeriodsPerDay: 10, execution: 'device' }

/** A building with a flat (two bedrooms around a kitchen) and a studio; no identifiers of version 1 given. */
export function makeSmallSite(site: JsonObject = {}): SmallSite {
  const ids = {
    siteUuid: randomUUID(),
    buildingUuid: randomUUID(),
    clusterUuid: randomUUID(),
    bedroom: randomUUID(),
    secondBedroom: randomUUID(),
    kitchen: randomUUID(),
    studio: randomUUID(),
    meter: randomUUID(),
    secondMeter: randomUUID(),
    sensor: randomUUID(),
    trv: randomUUID(),
    cylinder: randomUUID(),
  }
  const { buildingUuid, clusterUuid } = ids
  const flat = { buildingUuid, floorNumber: 1, clusterUuid, clusterName: 'Flat 1' }
  const maker = { manufacturer: 'Maker', model: 'M1' }
  return {
    ...ids,
    document: {
      site: { siteUuid: ids.siteUuid, siteName: 'House', timeZone: 'Europe/London', ...site },
      buildings: [{ buildingUuid, buildingName: 'Main house' }],
      spaces: [
        space(ids.bedroom, 'bedroom', { ...flat, areaM2: 12.5, capacity: 1 }),
        space(ids.secondBedroom, 'bedroom', { ...flat, areaM2: 13, capacity: 1 }),
        space(ids.kitchen, 'livingKitchenDining', { ...flat, areaM2: 25.25, capacity: 2 }),
        space(ids.studio, 'studio', { buildingUuid, floorNumber: 0, areaM2: 20, capacity: 1 }),
      ],
      devices: [
        device(ids.meter, 'electricityMeter', ids.bedroom, {
          ...maker,
          serialNumber: 'E-1',
          metrics: { electricity: { kind: 'register', registerSize: 1_000_000 } },
        }),
        device(ids.secondMeter, 'electricityMeter', ids.secondBedroom, {
          metrics: { electricity: { kind: 'register' } },
        }),
        device(ids.sensor, 'multiSensor', ids.bedroom, {
          metrics: { temperature: { kind: 'gauge' }, co2: { kind: 'gauge' }, battery: { kind: 'gauge' } },
        }),
        device(ids.trv, 'trv', ids.bedroom, {
          metrics: { temperature: { kind: 'gauge' } },
          capabilities: {
            schedule: { types: scheduleTypes, ...oneEach },
            setpoint: { min: 5, max: 30, step: 0.5, unit: 'degC' },
          },
        }),
        device(ids.cylinder, 'hotWaterCylinder', ids.kitchen, {
          metrics: { temperature: { kind: 'gauge' } },
          capabilities: {
            schedule: { types: scheduleTypes, ...oneEach },
            setpoint: { min: 40, max: 70, step: 1, unit: 'degC' },
            power: true,
          },
        }),
      ],
    },
  }
}

export function space(spaceUuid: string, spaceType: string, fields: JsonObject): JsonObject {
  return { spaceUuid, spaceName: `The ${spaceType}`, spaceType, ...fields }
}

export function device(
  deviceUuid: string,
  deviceType: string,
  spaceUuid: string,
  fields: JsonObject,
): JsonObject {
  return { deviceUuid, deviceName: `The ${deviceType}`, deviceType, spaceUuid, ...fields }
}

/** A copy of a document with one value changed, addressed like `spaces.0.spaceType`; undefined removes it. */
export function changed(document: InventoryDocument, path: string, value: unknown): JsonObject {
  const copy = structuredClone(document) as unknown as JsonObject
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at = copy
  for (const name of names) at = at[name] as JsonObject
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}
