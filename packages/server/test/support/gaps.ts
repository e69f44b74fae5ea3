import { type Series, toPoints } from '../../src/domain/telemetry/series/columns.ts'
import type { SeriesService } from '../../src/domain/telemetry/series/service.ts'
import type { Windows } from '../../src/calendar/interval.ts'
import assert from 'node:assert/strict'
import type { RollupStore } from '../../src/domain/telemetry/rollup/store.ts'
import type { MetricSpec } from '../../src/domain/estate/inventory/inventory.ts'
import { createSiteDirectory } from '../../src/domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../src/domain/estate/inventory/site-model.ts'
import { type Interval, toWindows } from '../../src/calendar/window-edges.ts'
import type { Store } from '../../src/store/store.ts'
import { DAY, HOUR } from './commands.ts'
import { createSeriesServiceFor } from './series-fixtures.ts'
import { makeSmallSite } from './small-site.ts'
import { entry } from './seed.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

/** A device with one metric, and the hours before the start of today at which it was read. */
export interface Rhythm {
  spec: MetricSpec
  hours: readonly number[]
}

/** From one number to another, exclusive. */
export const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((from - to) / step) }, (_, at) => from - at * step)

/** A site with a device for each pattern of readings. */
export async function addRhythms(
  store: Store,
  rhythms: readonly Rhythm[],
  today: number,
): Promise<SiteModel> {
  const toMetrics = (spec: MetricSpec) =>
    spec.kind === 'gauge' ? { temperature: spec } : { electricity: spec }
  const document = makeSmallSite(
    'Europe/London',
    1,
    rhythms.map(({ spec }) => ({ space: 0, metrics: toMetrics(spec) })),
  )
  const { siteUuid } = document.site
  await store.inventory.apply(siteUuid, document, entry('inventory.applied'))
  const model = await createSiteDirectory(store.inventory).find(siteUuid)
  assert.ok(model)
  const batch = rhythms.map(({ hours }, device) => ({
    seriesId: findSeries(model, device),
    timestamps: hours.map((before) => today - before * HOUR),
    values: hours.map((_, at) => (at * 7) / 8),
  }))
  await store.readings.add(siteUuid, toReadingBatch(batch))
  return model
}

export const findSeries = (model: SiteModel, device: number): number => {
  const found = [...model.devices.values()].find(({ record }) => record.deviceName === `Device ${device}`)
  return Object.values(found?.series ?? {})[0] ?? assert.fail()
}

const REQUESTS: readonly [interval: Interval, days: number][] = [
  ['PT15M', 1],
  ['PT1H', 3],
  ['P1D', 9],
]

/** Values of each meter and its room for every window in ranges that begin this many days before today. */
export async function readWindows(
  store: Store,
  rollups: RollupStore,
  model: SiteModel,
  today: number,
  starts: readonly number[],
): Promise<Map<string, Set<string>>> {
  const aggregate = createSeriesServiceFor(store.readings, rollups, { now: () => today })
  const windows = new Map<string, Set<string>>()
  for (const [interval, days] of REQUESTS) {
    for (const start of starts) {
      const from = today - start * DAY
      const range = toWindows(model.zone, interval, from, Math.min(from + days * DAY, today))
      for (const [subject, { columns }] of await readSubjects(aggregate, model, range)) {
        for (const { at, ...shown } of toPoints(columns)) {
          const name = `${subject} ${interval} ${new Date(at).toISOString()}`
          windows.set(name, (windows.get(name) ?? new Set()).add(JSON.stringify(shown)))
        }
      }
    }
  }
  return windows
}

/** The series of every device, and of the room for each metric. */
async function readSubjects(
  aggregate: SeriesService,
  model: SiteModel,
  range: Windows,
): Promise<[subject: string, Series][]> {
  const requests = (['electricity', 'temperature'] as const).flatMap((metric) => {
    const devices = [...model.devices.values()].filter(({ series }) => series[metric] !== undefined)
    return [
      ...devices.map(
        async (device): Promise<[string, Series]> => [
          device.record.deviceName,
          await aggregate.device(model, device, metric, range),
        ],
      ),
      aggregate
        .spaces(model, [...model.spaces.values()], metric, range)
        .then((series): [string, Series] => [`Room ${metric}`, series]),
    ]
  })
  return Promise.all(requests)
}
