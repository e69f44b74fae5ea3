import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { InventoryStore } from '../../estate/inventory/store.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { type Rejection, checkValue } from '../reading/validate.ts'
import type { AddResult, ReadingStore } from '../reading/store.ts'
import type { IngestCounter } from './import-counts.ts'
import {
  getTargets,
  isRejection,
  parseTimestamp,
  resolveTarget,
  type SeriesTarget,
  type SeriesTargets,
} from './validate.ts'
import { createReadingList } from './reading-list.ts'

export interface ImportReport extends AddResult {
  refused: { line: number; code: string; message: string }[]
  refusedCount: number
}

/** Imports the readings in a body of a media type of `FORMATS`; all accepted ones are durable when it resolves. */
export type ImportReadings = (type: string, body: AsyncIterable<Uint8Array>) => Promise<ImportReport>

const MAX_LISTED_REFUSALS = 1_000
const BATCH = 10_000
const MAX_CACHED_DEVICES = 100_000
/** The device of the previous record, if it belongs to the site of most records. */
interface RecentDevice {
  uuid: string
  device: Device | undefined
  targets: SeriesTargets | undefined
}

const NO_DEVICE: RecentDevice = { uuid: '', device: undefined, targets: undefined }

/** Usually undefined: a promise for each of ten million lines would cost more than the lines themselves. */
export type Later = Promise<void> | undefined | void

export interface ReadingImport {
  /** Validates the untrusted fields of one record and adds it to the batch, which is stored when it is full. */
  add(line: number, deviceUuid: unknown, metricType: unknown, timestamp: unknown, value: unknown): Later
  reject(line: number, rejection: Rejection): void
  /** For formats that need the series of a record to parse it. */
  find(deviceUuid: unknown, metricType: unknown): Promise<SeriesTarget | Rejection>
  addResolved(line: number, target: SeriesTarget, at: number, value: unknown): Later
  /** All accepted readings are durable when this resolves. */
  finish(): Promise<ImportReport>
  /** Resolves when the batch that is being stored is durable or has failed. For an import that has failed. */
  settle(): Promise<void>
}

export interface ReadingImportDeps {
  inventory: Pick<InventoryStore, 'findSiteOfDevice'>
  siteDirectory: SiteDirectory
  readings: ReadingStore
  clock: Clock
  rawRetentionMs: number | undefined
  counter?: IngestCounter
  /** Number of lines that an earlier, interrupted run has stored. */
  skipLines?: number
  /** Called with the last line of a batch before it is stored; its result, when all lines up to it are durable. */
  onBatch?(line: number): () => void | Promise<void>
  /** Called for every rejected record; the report lists only the first ones. */
  onRefused?(refusal: ImportReport['refused'][number]): void
}

/** One import of readings, from any channel. Each record is validated individually: an invalid one affects no other. */
export function createReadingImport(deps: ReadingImportDeps): ReadingImport {
  const { inventory, siteDirectory, readings, clock, skipLines = 0 } = deps
  const report: ImportReport = { accepted: 0, replaced: 0, unchanged: 0, refused: [], refusedCount: 0 }
  /** Most records of an import are of one site, and the readings of a device are consecutive. */
  let site: SiteModel | undefined
  let recent: RecentDevice = NO_DEVICE
  /** Cached lookups by device and metric, including those of other sites and of unknown devices. */
  const cachedTargets = new Map<string, Map<string, SeriesTarget | Rejection>>()
  let list = createReadingList()
  let lastLine = 0
  let now = clock.now()
  /** Files ordered by time repeat the same instant many times. */
  let lastInstant: { text: unknown; at: number } = { text: undefined, at: 0 }
  let writing: Promise<void> = Promise.resolve()

  const lookUp = async (deviceUuid: unknown, metricType: unknown): Promise<SeriesTarget | Rejection> => {
    if (typeof deviceUuid !== 'string' || !isUuid(deviceUuid)) {
      return { code: 'unknown-device', message: 'The deviceUuid is not a UUID.' }
    }
    const uuid = deviceUuid.toLowerCase()
    const siteUuid = await inventory.findSiteOfDevice(uuid)
    const model = siteUuid === undefined ? undefined : await siteDirectory.find(siteUuid)
    const device = model?.devices.get(uuid)
    if (!model || !device) return { code: 'unknown-device', message: 'The device does not exist.' }
    site = model
    recent = NO_DEVICE
    return resolveTarget(model, device, metricType)
  }

  const findCached = (deviceUuid: unknown, metricType: unknown): SeriesTarget | Rejection | undefined => {
    if (typeof deviceUuid !== 'string' || typeof metricType !== 'string') return undefined
    if (deviceUuid !== recent.uuid) {
      const device = site?.devices.get(deviceUuid)
      recent = { uuid: deviceUuid, device, targets: site && device && getTargets(site, device) }
    }
    if (site && recent.device)
      return recent.targets?.get(metricType) ?? resolveTarget(site, recent.device, metricType)
    return cachedTargets.get(deviceUuid)?.get(metricType)
  }

  const find = async (deviceUuid: unknown, metricType: unknown): Promise<SeriesTarget | Rejection> => {
    const found = findCached(deviceUuid, metricType) ?? (await lookUp(deviceUuid, metricType))
    // Only strings are cached: other values never identify a device or metric, and not all can be converted to strings.
    if (typeof deviceUuid !== 'string' || typeof metricType !== 'string') return found
    if (cachedTargets.size >= MAX_CACHED_DEVICES) cachedTargets.clear()
    const byMetric = cachedTargets.get(deviceUuid) ?? new Map<string, SeriesTarget | Rejection>()
    cachedTargets.set(deviceUuid, byMetric.set(metricType, found))
    return found
  }

  const store = async (full: typeof list): Promise<void> => {
    for (const [siteUuid, { first, last, replaced, unchanged }] of full.bySite()) {
      const added = await readings.add(siteUuid, first)
      // Already counted, relative to the preceding value of the same instant.
      if (last) await readings.add(siteUuid, last)
      const result: AddResult = {
        accepted: added.accepted,
        replaced: added.replaced + replaced,
        unchanged: added.unchanged + unchanged,
      }
      deps.counter?.stored(result)
      report.accepted += result.accepted
      report.replaced += result.replaced
      report.unchanged += result.unchanged
    }
  }

  /** One batch is written while the next one is read; no more, to bound memory and keep the order. */
  const flush = async (): Promise<void> => {
    await writing
    const full = list
    list = createReadingList()
    now = clock.now()
    const onDurable = deps.onBatch?.(lastLine)
    writing = store(full).then(onDurable)
    // Awaited by the next flush or by finish; until then a rejection must not count as unhandled.
    writing.catch(() => {})
  }

  const put = (line: number, { model, seriesId }: SeriesTarget, at: number, value: number): void => {
    lastLine = line
    list.put(model.site.siteUuid, seriesId, at, value)
  }

  const parseCached = (text: unknown): number | Rejection => {
    if (text === lastInstant.text) return lastInstant.at
    const at = parseTimestamp(text)
    if (typeof at === 'number') lastInstant = { text, at }
    return at
  }

  const addAt = (
    line: number,
    target: SeriesTarget | Rejection,
    timestamp: unknown,
    value: unknown,
  ): Later => {
    if (isRejection(target)) return intake.reject(line, target)
    const at = parseCached(timestamp)
    return typeof at === 'number' ? intake.addResolved(line, target, at, value) : intake.reject(line, at)
  }

  const intake: ReadingImport = {
    find,
    add(line, deviceUuid, metricType, timestamp, value) {
      if (line <= skipLines) return undefined
      const target = findCached(deviceUuid, metricType)
      if (target) return addAt(line, target, timestamp, value)
      return find(deviceUuid, metricType).then((found) => addAt(line, found, timestamp, value))
    },
    addResolved(line, target, at, value) {
      if (line <= skipLines) return undefined
      const rejection = checkValue(target.spec, at, value, now, deps.rawRetentionMs)
      if (rejection) return intake.reject(line, rejection)
      // A line of half hours is complete only with its last value, so only the previous line is certain to be complete.
      if (line > lastLine && list.size() >= BATCH)
        return flush().then(() => put(line, target, at, value as number))
      return put(line, target, at, value as number)
    },
    reject(line, { code, message }) {
      if (line <= skipLines) return
      lastLine = Math.max(lastLine, line)
      report.refusedCount += 1
      deps.counter?.rejected(code)
      deps.onRefused?.({ line, code, message })
      if (report.refused.length < MAX_LISTED_REFUSALS) report.refused.push({ line, code, message })
    },
    async finish() {
      await flush()
      await writing
      return report
    },
    settle: () => writing.catch(() => {}),
  }
  return intake
}
