import { randomUUID } from 'node:crypto'
import { device, type InventoryDocument, space } from '../../support/fixtures/small-site.ts'
import type { ReadingRecord } from '../../support/clients/ingest-channels.ts'
import { query } from '../../support/clients/v2-client.ts'

const HALF_HOUR_MS = 1_800_000
const DAY_MS = 86_400_000
const DAYS = 40
const SPACE_ID = 7

/** A small site with every kind of series, and paths that read each of them in every way. */
export interface MeasuredSite {
  siteUuid: string
  document: InventoryDocument
  /** Enough readings that the server stores them as packed days. */
  history: ReadingRecord[]
  /** The readings of the last day in small batches, which stay in the journal. */
  recent: ReadingRecord[][]
  /** Paths of version 2 that return every stored reading, and results computed from them. */
  paths: string[]
  /** Paths of version 1. */
  v1Paths: string[]
}

export function makeMeasuredSite(now: number): MeasuredSite {
  const [siteUuid, buildingUuid, spaceUuid] = [randomUUID(), randomUUID(), randomUUID()]
  const [register, delta, sensor] = [randomUUID(), randomUUID(), randomUUID()]
  const to = Math.floor(now / DAY_MS) * DAY_MS
  const from = to - DAYS * DAY_MS
  const series = [
    {
      deviceUuid: register,
      metricType: 'electricity',
      value: (at: number) => 100 + at * 0.25 + (at % 7) / 8,
    },
    { deviceUuid: delta, metricType: 'water', value: (at: number) => 3 + ((at * 13) % 17) / 4 },
    { deviceUuid: sensor, metricType: 'temperature', value: (at: number) => 18 + ((at * 7) % 23) / 10 },
  ]
  const readings = (start: number, end: number): ReadingRecord[] =>
    series.flatMap(({ deviceUuid, metricType, value }) =>
      Array.from({ length: (end - start) / HALF_HOUR_MS }, (_, index) => {
        const at = start + index * HALF_HOUR_MS
        return {
          deviceUuid,
          metricType,
          timestamp: new Date(at).toISOString(),
          value: Math.round(value((at - from) / HALF_HOUR_MS) * 1_000) / 1_000,
        }
      }),
    )
  const range = (first: number, last: number): Record<string, string> => ({
    fromDateTime: new Date(from + first * DAY_MS).toISOString(),
    toDateTime: new Date(from + last * DAY_MS).toISOString(),
  })
  const halves = [range(0, 20), range(20, DAYS)]
  const paths = series.flatMap(({ deviceUuid, metricType }) => {
    const ofDevice = `/devices/${deviceUuid}/consumption/${metricType}`
    return [
      ...halves.flatMap((half) => [
        `${ofDevice}${query({ interval: 'PT15M', ...half })}`,
        `${ofDevice}${query({ interval: 'PT1H', ...half })}`,
        `/spaces/${spaceUuid}/aggregate/${metricType}/hourly${query(half)}`,
      ]),
      ...Array.from(
        { length: Math.ceil(DAYS / 7) },
        (_, week) =>
          `${ofDevice}${query({ interval: 'raw', limit: '1000', ...range(week * 7, Math.min(DAYS, week * 7 + 7)) })}`,
      ),
      `/spaces/${spaceUuid}/aggregate/${metricType}/daily${query(range(0, DAYS))}`,
      `/spaces/${spaceUuid}/aggregate/${metricType}/daily${query({ interval: 'P1M', ...range(0, DAYS) })}`,
    ]
  })
  return {
    siteUuid,
    document: {
      site: { siteUuid, siteName: 'Measured', timeZone: 'UTC' },
      buildings: [{ buildingUuid, buildingName: 'House' }],
      spaces: [space(spaceUuid, 'studio', { buildingUuid, areaM2: 20, capacity: 1, legacyId: SPACE_ID })],
      devices: [
        device(register, 'electricityMeter', spaceUuid, { metrics: { electricity: { kind: 'register' } } }),
        device(delta, 'waterMeter', spaceUuid, { metrics: { water: { kind: 'delta' } } }),
        device(sensor, 'multiSensor', spaceUuid, { metrics: { temperature: { kind: 'gauge' } } }),
      ],
    },
    history: readings(from, to - DAY_MS),
    recent: Array.from({ length: 4 }, (_, part) =>
      readings(to - DAY_MS + (part * DAY_MS) / 4, to - DAY_MS + ((part + 1) * DAY_MS) / 4),
    ),
    paths,
    v1Paths: [
      `/spaces/utilities/${SPACE_ID}/history`,
      `/spaces/multiSensor/${SPACE_ID}/history`,
      `/spaces/details/${SPACE_ID}`,
    ],
  }
}
