import type { Inventory } from '@portico/wire/operator/inventory'
import { newUuid } from '@portico/server/kernel/ids'

export const DAY_MS = 86_400_000
export const STEP_MS = 1_800_000

/** The metrics of a room: four registers and four gauges. */
export const UTILITIES = ['electricity', 'heating', 'water', 'hotwater'] as const
export const CLIMATE = ['temperature', 'humidity', 'co2', 'light'] as const
export const METRICS = [...UTILITIES, ...CLIMATE] as const

export type Metric = (typeof METRICS)[number]

export const isRegister = (metric: Metric): boolean => (UTILITIES as readonly Metric[]).includes(metric)

export interface RoomReading {
  room: number
  metric: Metric
  at: number
  value: number
}

/** Rooms with a meter and a sensor each, and readings every half hour. */
export interface Residence {
  siteUuid: string
  spaceUuids: string[]
  /** Each room's meter and sensor, in the order of the rooms. */
  meterUuids: string[]
  sensorUuids: string[]
  document: Inventory
}

export function makeResidence(spaceCount: number): Residence {
  const [siteUuid, buildingUuid] = [newUuid(), newUuid()]
  const uuids = (): string[] => Array.from({ length: spaceCount }, newUuid)
  const [spaceUuids, meterUuids, sensorUuids] = [uuids(), uuids(), uuids()]
  const metrics = (names: readonly Metric[], kind: 'register' | 'gauge') =>
    Object.fromEntries(names.map((name) => [name, { kind }]))
  return {
    siteUuid,
    spaceUuids,
    meterUuids,
    sensorUuids,
    document: {
      site: { siteUuid, siteName: 'Residence', timeZone: 'Europe/London' },
      buildings: [{ buildingUuid, buildingName: 'Residence' }],
      spaces: spaceUuids.map((spaceUuid, index) => ({
        spaceUuid,
        spaceName: `Room ${index}`,
        spaceType: 'bedroom',
        buildingUuid,
        floorNumber: Math.floor(index / 20) % 100,
      })),
      devices: spaceUuids.flatMap((spaceUuid, index) => [
        {
          deviceUuid: meterUuids[index] ?? '',
          deviceName: `Meter ${index}`,
          deviceType: 'electricityMeter' as const,
          spaceUuid,
          metrics: metrics(UTILITIES, 'register'),
        },
        {
          deviceUuid: sensorUuids[index] ?? '',
          deviceName: `Sensor ${index}`,
          deviceType: 'multiSensor' as const,
          spaceUuid,
          metrics: metrics(CLIMATE, 'gauge'),
        },
      ]),
    },
  }
}

/** Deterministic readings of one series at a fixed step: registers rise by hour of day, gauges oscillate. */
export function generateValues(metric: Metric, room: number, count: number): Float64Array {
  const noise = createNoise(METRICS.indexOf(metric) * 10_007 + room + 1)
  const values = new Float64Array(count)
  let register = Math.round(noise() * 50_000)
  for (let index = 0; index < count; index += 1) {
    register += Math.round(
      (40 + 260 * Math.abs(Math.sin((index % 48) / 15)) * noise()) * (noise() < 0.1 ? 3 : 1),
    )
    values[index] = isRegister(metric)
      ? register / 1000
      : Math.round((20 + 2 * Math.sin(index / 8) + noise()) * 10) / 10
  }
  return values
}

function createNoise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
