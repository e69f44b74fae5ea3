import { COMMAND_STATES, type CommandState } from '../domain/control/command/command.ts'
import { isFinal } from '../domain/control/command/states.ts'
import { createDeviceCounts } from '../domain/telemetry/device-status/count-devices.ts'
import { addCounts } from '../domain/telemetry/ingest/import-counts.ts'
import type { Services } from '../http/services.ts'
import { stopwatch } from '../kernel/clock.ts'
import type { StoreFigures } from '../kernel/store-metrics.ts'
import type { StoreStatistics } from '../store/statistics.ts'
import type { Store } from '../store/store.ts'
import { ingestCounter } from './ingest-counter.ts'

const HOUR_MS = 3_600_000

/** The store is read again after this multiple of the time that reading it took. */
const REST_FACTOR = 20
const MAX_REST_MS = 10_000

/**
 * Loads the statistics of the store for the metrics, and counts the readings that commands have imported since. A large
 * store is read less often than the metrics are scraped, so that reading it takes only a small share of the time.
 */
export function createStoreFigures(
  store: Store,
  services: Pick<
    Services,
    'clock' | 'metrics' | 'readings' | 'presences' | 'siteDirectory' | 'usualSteps' | 'health'
  >,
): () => Promise<StoreFigures | undefined> {
  const { clock, metrics, health } = services
  const countDevices = createDeviceCounts(services)
  const imported = ingestCounter(metrics, 'file')
  let nextAt = 0
  let latest: StoreFigures | undefined

  return async () => {
    const startedAt = stopwatch()
    if (!health.isReady() || startedAt < nextAt) return latest
    addCounts(imported, await store.importCounts.take())
    const now = clock.now()
    const statistics = await store.statistics({ now, finishedSince: now - HOUR_MS })
    const devices = await countDevices(statistics.siteUuids)
    latest = { ...toFigures(statistics, now), devicesByStatus: devices.byStatus, series: devices.series }
    const endedAt = stopwatch()
    nextAt = endedAt + Math.min(MAX_REST_MS, REST_FACTOR * (endedAt - startedAt))
    return latest
  }
}

const UNFINISHED = COMMAND_STATES.filter((state) => !isFinal(state))
const FINISHED = COMMAND_STATES.filter(isFinal)

/** States without commands are 0 instead of absent, so that alerts and graphs need no special case. */
const everyState = <T extends { state: CommandState }>(
  states: readonly CommandState[],
  found: readonly T[],
  toEmpty: (state: CommandState) => T,
): T[] => states.map((state) => found.find((entry) => entry.state === state) ?? toEmpty(state))

const toFigures = (
  statistics: StoreStatistics,
  now: number,
): Omit<StoreFigures, 'devicesByStatus' | 'series'> => {
  const toAge = (at: number | undefined): number => (at === undefined ? 0 : Math.max(0, now - at))
  const { journalReadings, queuedRollups, outboxMessages, webhooks, waitingDeliveries, bytes, freeBytes } =
    statistics
  return {
    journalReadings,
    queuedRollups,
    rollupLagMs: toAge(statistics.rollupDueSince),
    unfinishedCommands: everyState(UNFINISHED, statistics.unfinishedCommands, (state) => ({
      state,
      count: 0,
      oldestAt: now,
    })).map(({ state, count, oldestAt }) => ({ state, count, oldestMs: toAge(oldestAt) })),
    finishedCommands: everyState(FINISHED, statistics.finishedCommands, (state) => ({ state, count: 0 })),
    outboxMessages,
    outboxOldestMs: toAge(statistics.outboxOldestAt),
    webhooks: { ...webhooks },
    waitingDeliveries,
    deliveryOldestMs: toAge(statistics.deliveryOldestAt),
    bytes,
    freeBytes,
  }
}
