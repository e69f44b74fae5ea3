import type { SiteDirectory } from '../inventory/site-directory.ts'
import type { InventoryStore } from '../inventory/store.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { isUuid } from '../lib/ids.ts'
import { type Refusal, refuseReading } from '../reading/judge.ts'
import type { AddedReadings, ReadingStore } from '../reading/store.ts'
import { isRefusal, judgeInstant, type Place, placeIn } from './judge.ts'

/** What a line, an element or a message says; nothing about it is sure yet. */
export interface RawReading {
  deviceUuid: unknown
  metricType: unknown
  timestamp: unknown
  value: unknown
}

export interface IntakeReport extends AddedReadings {
  refused: { line: number; code: string; message: string }[]
  refusedCount: number
}

const MAX_LISTED_REFUSALS = 1_000
const BATCH = 5_000
const MAX_KNOWN_DEVICES = 100_000

export interface Intake {
  /** Judges one record; stores it with its neighbours when enough have come together. */
  take(line: number, raw: RawReading): Promise<void>
  refuse(line: number, refusal: Refusal): void
  /** For formats that need to know more than a record says. */
  find(deviceUuid: unknown, metricType: unknown): Promise<Place | Refusal>
  takeKnown(line: number, place: Place, at: number, value: unknown): Promise<void>
  /** Everything that was taken is durable when this resolves. */
  finish(): Promise<IntakeReport>
}

export interface IntakeDeps {
  inventory: Pick<InventoryStore, 'siteOfDevice'>
  siteDirectory: SiteDirectory
  readings: ReadingStore
  clock: Clock
  rawRetentionMs: number | undefined
  /** Lines that an earlier, interrupted run has stored. */
  skipLines?: number
  /** Called with a line up to which everything is durable. */
  onDurable?(line: number): void
}

/** One delivery of readings, by whatever way: each record is judged alone, and a bad one never loses a good one. */
export function createIntake(deps: IntakeDeps): Intake {
  const { inventory, siteDirectory, readings, clock, skipLines = 0 } = deps
  const report: IntakeReport = { accepted: 0, replaced: 0, unchanged: 0, refused: [], refusedCount: 0 }
  const places = new BoundedMap<string, Place | Refusal>(MAX_KNOWN_DEVICES)
  /** By site and series, the newest value of each instant in this batch. */
  let batch = new Map<string, Map<number, Map<number, number>>>()
  let size = 0
  let lastLine = 0
  let writing: Promise<void> = Promise.resolve()

  const look = async (deviceUuid: unknown, metricType: unknown): Promise<Place | Refusal> => {
    if (typeof deviceUuid !== 'string' || !isUuid(deviceUuid)) {
      return { code: 'unknown-device', message: 'The deviceUuid is not a UUID.' }
    }
    const uuid = deviceUuid.toLowerCase()
    const siteUuid = await inventory.siteOfDevice(uuid)
    const model = siteUuid === undefined ? undefined : await siteDirectory.find(siteUuid)
    const device = model?.devices.get(uuid)
    if (!model || !device) return { code: 'unknown-device', message: 'There is no such device.' }
    return placeIn(model, device, metricType)
  }

  const store = async (full: typeof batch): Promise<void> => {
    for (const [siteUuid, series] of full) {
      const sorted = [...series].map(([seriesId, values]) => {
        const entries = [...values].toSorted(([a], [b]) => a - b)
        return { seriesId, timestamps: entries.map(([at]) => at), values: entries.map(([, value]) => value) }
      })
      const added = await readings.add(siteUuid, sorted)
      report.accepted += added.accepted
      report.replaced += added.replaced
      report.unchanged += added.unchanged
    }
  }

  /** One batch is written while the next is read; never more, so that memory stays flat and order is kept. */
  const flush = async (): Promise<void> => {
    await writing
    const full = batch
    batch = new Map()
    size = 0
    const upTo = lastLine
    writing = store(full).then(() => deps.onDurable?.(upTo))
    // Awaited by the next flush or by finish; until then a failure must not count as unhandled.
    writing.catch(() => {})
  }

  const put = (place: Place, at: number, value: number): void => {
    const { siteUuid } = place.model.site
    const site = batch.get(siteUuid) ?? new Map<number, Map<number, number>>()
    batch.set(siteUuid, site)
    const series = site.get(place.seriesId) ?? new Map<number, number>()
    site.set(place.seriesId, series)
    const before = series.get(at)
    if (before !== undefined) {
      if (before === value) report.unchanged += 1
      else report.replaced += 1
    }
    series.set(at, value)
    size += 1
  }

  const intake: Intake = {
    async find(deviceUuid, metricType) {
      // Nothing but text names a device or a metric, and not everything else can be made text.
      if (typeof deviceUuid !== 'string' || typeof metricType !== 'string')
        return look(deviceUuid, metricType)
      const key = `${deviceUuid} ${metricType}`
      const known = places.get(key)
      if (known) return known
      const found = await look(deviceUuid, metricType)
      places.set(key, found)
      return found
    },
    async take(line, raw) {
      if (line <= skipLines) return
      const place = await intake.find(raw.deviceUuid, raw.metricType)
      if (isRefusal(place)) return intake.refuse(line, place)
      const at = judgeInstant(raw.timestamp)
      if (typeof at !== 'number') return intake.refuse(line, at)
      return intake.takeKnown(line, place, at, raw.value)
    },
    async takeKnown(line, place, at, value) {
      if (line <= skipLines) return
      const refusal = refuseReading(place.spec, at, value, clock.now(), deps.rawRetentionMs)
      if (refusal) return intake.refuse(line, refusal)
      // A line of half hours is done only with its last one: the line before it is the one that is complete.
      if (line > lastLine && size >= BATCH) await flush()
      lastLine = line
      put(place, at, value as number)
    },
    refuse(line, { code, message }) {
      if (line <= skipLines) return
      report.refusedCount += 1
      if (report.refused.length < MAX_LISTED_REFUSALS) report.refused.push({ line, code, message })
    },
    async finish() {
      await flush()
      await writing
      return report
    },
  }
  return intake
}
