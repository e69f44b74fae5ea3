import type { InventoryDevice, InventoryDocument } from '@portico/server/domain/estate/inventory/inventory'
import type { SiteModel } from '@portico/server/domain/estate/inventory/site-model'
import { newUuid } from '@portico/server/kernel/ids'
import type { SeriesReadings } from '@portico/server/domain/telemetry/reading/batch'

export const DAY_MS = 86_400_000
/** A past year. */
export const START = Date.UTC(2024, 11, 1)

const STEP_MS = 1_800_000
const DEVICES_IN_THE_LARGE_SPACE = 20

/** One space with many devices, then spaces with one: each has a meter's register and a thermometer. */
export function makeLargeSite(spaceCount: number): InventoryDocument {
  const buildingUuid = newUuid()
  const spaces = Array.from({ length: spaceCount }, (_, index) => ({
    spaceUuid: newUuid(),
    spaceName: String(index).padStart(4, '0'),
    spaceType: 'bedroom' as const,
    buildingUuid,
    floorNumber: 1,
    clusterUuid: null,
    clusterName: null,
    areaM2: null,
    capacity: 1,
    legacyId: null,
    targets: {},
  }))
  const placed = spaces.flatMap(({ spaceUuid }, index) =>
    Array.from({ length: index === 0 ? DEVICES_IN_THE_LARGE_SPACE : 1 }, () => spaceUuid),
  )
  return {
    site: {
      siteUuid: newUuid(),
      siteName: 'Tower',
      timeZone: 'Europe/London',
      legacyId: null,
      latitude: null,
      longitude: null,
      postcode: null,
      sandbox: false,
      policy: {},
    },
    buildings: [{ buildingUuid, buildingName: 'Tower', legacyId: null }],
    spaces,
    devices: placed.map(
      (spaceUuid, index): InventoryDevice => ({
        deviceUuid: newUuid(),
        deviceName: String(index),
        deviceType: 'electricityMeter',
        spaceUuid,
        since: null,
        gatewayUuid: null,
        manufacturer: null,
        model: null,
        serialNumber: null,
        firmwareVersion: null,
        installedAt: null,
        metrics: {
          electricity: { kind: 'register', registerSize: null, maxPerHour: null },
          temperature: { kind: 'gauge', registerSize: null, maxPerHour: null },
        },
        capabilities: {},
      }),
    ),
  }
}

/** Plausible, deterministic readings: registers rise by hour and weekday, temperatures oscillate. */
export function* generateReadings(model: SiteModel, days: number): Generator<SeriesReadings> {
  const count = (days * DAY_MS) / STEP_MS
  let seed = 1
  const noise = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (const { series } of model.devices.values()) {
    const timestamps = Array.from({ length: count }, (_, index) => START + index * STEP_MS)
    let register = Math.round(noise() * 50_000)
    const meter = timestamps.map((_, index) => {
      register += Math.round(
        (40 + 260 * Math.abs(Math.sin((index % 48) / 15)) * noise()) * (noise() < 0.1 ? 3 : 1),
      )
      return register / 1000
    })
    const thermometer = timestamps.map(
      (_, index) => Math.round((20 + 2 * Math.sin(index / 8) + noise()) * 10) / 10,
    )
    if (series.electricity !== undefined) yield { seriesId: series.electricity, timestamps, values: meter }
    if (series.temperature !== undefined)
      yield { seriesId: series.temperature, timestamps, values: thermometer }
  }
}
