import { getLocalDays, type LocalDays } from '../../../calendar/local-day.ts'
import { getZone } from '../../../calendar/zone.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { repeatEvery } from '../../../kernel/repeat-every.ts'
import { type Leases, runAsLeader } from '../../coordination/leases.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { SiteModel } from '../../estate/inventory/site-model.ts'
import type { SiteStore } from '../../estate/inventory/store.ts'
import type { ReadingStore } from '../reading/store.ts'
import type { SeriesService } from '../series/service.ts'
import { createDayEvent } from './day-event.ts'
import { findNextClosing } from './decide-closing.ts'
import type { ClosedDayStore } from './store.ts'

const TICK_MS = 5_000
/** How soon a site is checked again whose next day cannot be closed yet. */
const RECHECK_MS = 60_000
const SITES_PER_PAGE = 500

const LEASE = 'closed-days'

interface CloserDeps {
  store: ClosedDayStore
  sites: Pick<SiteStore, 'listAll'>
  siteDirectory: SiteDirectory
  readings: Pick<ReadingStore, 'latest'>
  aggregate: SeriesService
  clock: Clock
  /** Used by several instances to elect the one that closes days; undefined if there is only one. */
  leases: Leases | undefined
  onError(error: unknown): void
}

/** Closes the days of all sites as they end, each with an event. */
export function startDayCloser(deps: CloserDeps): { close(): Promise<void> } {
  const { leases, onError } = deps
  /** The instant before which no day of the site can be closed, by site. */
  const idleUntil = new Map<string, number>()
  const start = (): { stop(): Promise<void> } =>
    repeatEvery(TICK_MS, () => closeAll(deps, idleUntil), onError)
  if (!leases) {
    const running = start()
    return { close: () => running.stop() }
  }
  const leading = runAsLeader(
    leases,
    LEASE,
    async () => {
      const running = start()
      return () => running.stop()
    },
    onError,
  )
  return { close: () => leading.stop() }
}

async function closeAll(deps: CloserDeps, idleUntil: Map<string, number>): Promise<void> {
  const { sites, clock, onError } = deps
  for (let after: { siteName: string; siteUuid: string } | undefined; ; ) {
    const page = await sites.listAll({ after, limit: SITES_PER_PAGE })
    for (const { siteUuid, timeZone } of page) {
      const until = idleUntil.get(siteUuid)
      const now = clock.now()
      // A time further ahead was set before the clock was moved back.
      if (until !== undefined && until > now && until <= now + LONGEST_DAY_MS) continue
      try {
        idleUntil.set(siteUuid, await closeDays(deps, siteUuid, getLocalDays(getZone(timeZone))))
      } catch (error) {
        onError(error)
      }
    }
    after = page.at(-1)
    if (page.length < SITES_PER_PAGE) return
  }
}

const LONGEST_DAY_MS = 26 * 3_600_000

/** Closes every complete day of a site, in order. Returns the instant at which another day may be complete. */
async function closeDays(
  deps: Omit<CloserDeps, 'sites' | 'leases' | 'onError'>,
  siteUuid: string,
  days: LocalDays,
): Promise<number> {
  const { store, siteDirectory, readings, aggregate, clock } = deps
  let model: SiteModel | undefined
  for (;;) {
    const now = clock.now()
    const expected = await store.closedBefore(siteUuid)
    const nextEnd = expected === 0 ? now : days.startOfDay(days.dayAt(expected) + 1)
    if (nextEnd > now) return nextEnd
    const latest = await readings.latest(siteUuid)
    // A site that has never measured anything has no values that could be final.
    if (latest.size === 0) return now + RECHECK_MS
    const next = findNextClosing(days, expected, latest.values(), now)
    if (!next) return now + RECHECK_MS
    const { day, closedBefore } = next
    if (day !== undefined) model ??= await siteDirectory.inspect(siteUuid)
    if (day !== undefined && !model) return now + RECHECK_MS
    const event = day === undefined || !model ? undefined : await createDayEvent(aggregate, model, day, now)
    if (!(await store.close(siteUuid, { expected, closedBefore, event }))) return now + RECHECK_MS
  }
}
