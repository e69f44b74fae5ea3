import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { performanceScores } from '@portico/server/domain/telemetry/insight/performance-series'
import { createSeriesService } from '@portico/server/domain/telemetry/series/service'
import type { RollupStore } from '@portico/server/domain/telemetry/rollup/store'
import { COMMAND_LINE } from '@portico/server/domain/identity/audit'
import { createInventoryService } from '@portico/server/domain/estate/inventory/service'
import { createSiteDirectory } from '@portico/server/domain/estate/inventory/site-directory'
import { systemClock } from '@portico/server/kernel/clock'
import { toWindows } from '@portico/server/calendar/window-edges'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import { atMost, type Benchmark, cost, type Row, times } from './benchmark.ts'
import { DAY_MS, generateReadings, START, makeLargeSite } from './support/large-site.ts'
import { toReadingBatch } from '@portico/server/domain/telemetry/reading/batch'

const NO_ROLLUPS: RollupStore = { days: async () => [], months: async () => [], quarters: async () => [] }

export const storage: Benchmark = {
  name: 'storage',
  about:
    'The embedded store with half-hourly readings of meters and thermometers: the size of a reading on disk, and the processor time of a read without rollups relative to one with them.',
  async run({ isSmoke }) {
    const [spaces, dayCount, calls] = isSmoke ? [3, 40, 3] : [60, 366, 300]
    const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
    const file = join(folder, 'portico.db')
    const store = openSqliteStore(file)
    try {
      await store.migrate()
      const document = makeLargeSite(spaces)
      const { siteUuid } = document.site
      await createInventoryService({ store: store.inventory, clock: systemClock }).apply(
        document,
        COMMAND_LINE,
      )
      const model = await createSiteDirectory(store.inventory).find(siteUuid)
      if (!model) throw new Error('the site is not there')
      let count = 0
      for (const series of generateReadings(model, dayCount)) {
        count += series.timestamps.length
        await store.readings.add(siteUuid, toReadingBatch([series]))
      }
      await store.runMaintenance()

      const rows: Row[] = bytesPerReading(file, count)
      const withRollups = createSeriesService({
        ...parts,
        readings: store.readings,
        rollups: store.rollups,
      })
      const without = createSeriesService({ ...parts, readings: store.readings, rollups: NO_ROLLUPS })
      const small = [...model.spaces.values()].slice(1)
      const large = [...model.spaces.values()].slice(0, 1)
      const ask = (
        what: string,
        from: readonly (typeof small)[number][],
        interval: 'PT1H' | 'P1D',
        length: number,
      ) => ({
        what,
        call: (service: typeof withRollups) => (index: number) => {
          const space = from[(index * 7) % from.length]
          const start = START + DAY_MS + ((index * 13) % Math.max(1, dayCount - length - 2)) * DAY_MS
          const windows = toWindows(model.zone, interval, start, start + length * DAY_MS)
          const metric = index % 2 === 0 ? 'electricity' : 'temperature'
          return service.spaces(model, space ? [space] : [], metric, windows)
        },
      })
      const queries = [
        ask('48 hours by the hour, a space of one device', small, 'PT1H', 2),
        ask('a year by the day, a space of one device', small, 'P1D', Math.min(364, dayCount - 3)),
        ask('48 hours by the hour, a space of 20 devices', large, 'PT1H', 2),
        ask('a year by the day, a space of 20 devices', large, 'P1D', Math.min(364, dayCount - 3)),
      ]
      for (const { what: label, call } of queries) {
        const cheap = await cost(calls, call(withRollups))
        const dear = await cost(Math.ceil(calls / 10), call(without))
        rows.push({ label, value: `${times(dear / cheap)} (${Math.round(cheap)} µs)` })
      }
      return rows
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  },
}

const parts = {
  derived: { performance: performanceScores },
  clock: systemClock,
  carbonIntensity: () => ({ gramsAt: () => 100, isSyntheticAt: () => true }),
  emissionFactors: { gas: 2, heating: 0.2, cooling: 0.1 },
}

function bytesPerReading(file: string, count: number): Row[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const readBytes = (pattern: string): number => {
    const row = db.prepare('SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE ?').get(pattern)
    return Number(row?.['bytes'] ?? 0)
  }
  const packed = readBytes('reading_days')
  const rolled = readBytes('rollup_%')
  db.close()
  const row = (label: string, bytes: number, most: number): Row => ({
    label,
    value: bytes.toFixed(2),
    ...atMost(most, bytes),
  })
  return [
    row('bytes on disk for a reading, packed', packed / count, 2),
    row('bytes on disk for a reading, rollups included', (packed + rolled) / count, 12),
  ]
}
